import { jsonFile } from './json-file.js';

/** A resource elsewhere, as `RESOURCES_FILE` lists it. */
export const NOTES = {
  resource: 'https://notes.example/mcp',
  name: 'Notes & more',
  scopes: [
    { name: 'notes:read', description: 'read your notes' },
    { name: 'notes:write', description: 'write notes for you' },
  ],
  tokens: 'opaque',
};

/** Another one, at the root of its host. */
export const FILES = {
  resource: 'https://files.example',
  name: 'Files',
  scopes: [{ name: 'files:read', description: 'read your files' }],
  tokens: 'opaque',
};

/** The variable that lists these resources, in a file of its own. */
export const resourcesFile = (...resources: readonly object[]) => ({
  RESOURCES_FILE: jsonFile(resources),
});
