import type { Ajv } from 'ajv';
import type { Ajv2019 } from 'ajv/dist/2019.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';

/** A new compiler for each dialect of JSON Schema. */
declare const dialects: {
  draft7(): Ajv;
  draft2019(): Ajv2019;
  draft2020(): Ajv2020;
};
export = dialects;
