import { Command, type ErrorOptions } from 'commander';

/** A command that lists its subcommands when it is given an unknown one. */
export class ListingCommand extends Command {
  override createCommand(name?: string) {
    return new ListingCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const names = this.commands.map((command) => command.name()).join(', ');
    return super.error(
      options?.code === 'commander.unknownCommand'
        ? message.replace(/^.*/, `$&; the commands are ${names}`)
        : message,
      options,
    );
  }
}
