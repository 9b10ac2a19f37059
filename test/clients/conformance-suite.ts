import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { dyingWithParent } from '#libs/platform/testing';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** One run of `@modelcontextprotocol/conformance`, in a process of its own. */
export class ConformanceSuite {
  private readonly process: ChildProcessByStdio<null, Readable, null>;

  constructor(command: string, options: Readonly<Record<string, string>>) {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const [program = '', ...rest] = [...dyingWithParent(), process.execPath, SUITE, command];
    this.process = spawn(program, [...rest, ...args], {
      env: {},
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Waits for its exit; calls `answer` with every line that it prints. */
  async finish(answer: (line: string) => Promise<unknown> | undefined = () => undefined) {
    const ended = once(this.process, 'close');
    let output = '';
    for await (const line of createInterface(this.process.stdout)) {
      output += `${line}\n`;
      await answer(line);
    }
    const [exitCode] = (await ended) as [number];
    return { exitCode, output };
  }

  stop() {
    this.process.kill('SIGKILL');
  }
}
