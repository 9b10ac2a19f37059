import { Catch } from '@nestjs/common';
import { ErrorFilter } from '../../http/error.filter.js';

/** Like the filter of the public listener, with `{ error }` for every failure. */
@Catch()
export class AdminErrorFilter extends ErrorFilter {
  protected override jsonOf(_path: string, { message }: { readonly message: string }) {
    return { error: message };
  }
}
