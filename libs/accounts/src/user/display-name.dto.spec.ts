import { checked } from '../body/json-body.js';
import { IsDisplayName } from './display-name.dto.js';

describe('a display name of a DTO', () => {
  class Labelled {
    @IsDisplayName()
    label!: string;
  }

  it('is read as it is stored', async () => {
    expect(await checked(Labelled, { label: ' Ann ', more: 1 })).toEqual({ label: 'Ann' });
  });

  it('is refused with the name of the field and the fault', async () => {
    await expect(checked(Labelled, { label: ' ' })).rejects.toMatchObject({
      name: 'RefusalError',
      status: 400,
      message: 'label is empty; enter 1 to 40 characters',
    });
  });
});
