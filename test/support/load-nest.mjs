// @nestjs/throttler is CommonJS and requires Nest, which is ESM. Jest can do that only when Nest is
// loaded already, not while the same graph of modules is still being loaded.
import '@nestjs/common';
import '@nestjs/core';
