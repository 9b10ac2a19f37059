/** What is used here of WebAssembly, whose types only browsers declare. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }

  interface Memory {
    readonly buffer: ArrayBuffer;
  }

  const Module: new (bytes: Uint8Array) => Module;
  /** Sizes in pages of 64 KiB. */
  const Memory: new (size: { initial: number; maximum: number }) => Memory;
}
