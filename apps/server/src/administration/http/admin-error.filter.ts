import { Catch } from '@nestjs/common';
import { ErrorFilter } from '../../http/error.filter.js';

/** As on the listener for everybody, with `{ error }` for every failure. */
@Catch()
export class AdminErrorFilter extends ErrorFilter {
  protected override jsonOf(_path: string, { message }: { readonly message: string }) {
    return { error: message };
  }
}
