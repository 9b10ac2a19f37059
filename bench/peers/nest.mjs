// Nest on Express with one route and nothing else.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

class Hello {
  me() {
    return { user: null, budget: null };
  }
}
const { prototype } = Hello;
Get()(prototype, 'me', Object.getOwnPropertyDescriptor(prototype, 'me'));
Controller()(Hello);

function App() {}
Module({ controllers: [Hello] })(App);

const app = await NestFactory.create(App, { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
