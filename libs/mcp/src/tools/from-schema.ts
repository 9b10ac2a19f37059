/**
 * The type of the values that a JSON Schema accepts, by `type`, `enum`, `const`, `properties`, `required`, `items`
 * and `anyOf`. `Unsaid` stands for what they leave open, and for parts of a schema declared without `as const`.
 */
export type FromSchema<Schema, Unsaid = unknown> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromSchema<Branch, Unsaid>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? OfType<Type, Schema, Unsaid>
        : Schema extends { readonly type: infer Type }
          ? OfType<Type, Schema, Unsaid>
          : Unsaid;

type OfType<Type, Schema, Unsaid> = Type extends 'object'
  ? ObjectFrom<Schema, Unsaid>
  : Type extends 'array'
    ? readonly (Schema extends { readonly items: infer Items }
        ? FromSchema<Items, Unsaid>
        : Unsaid)[]
    : Type extends keyof Simple
      ? Simple[Type]
      : Unsaid;

interface Simple {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type ObjectFrom<Schema, Unsaid> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [
        Name in keyof Properties as Name extends RequiredIn<Schema> ? Name : never
      ]: FromSchema<Properties[Name], Unsaid>;
    } & {
      readonly [
        Name in keyof Properties as Name extends RequiredIn<Schema> ? never : Name
      ]?: FromSchema<Properties[Name], Unsaid>;
    }
  : string extends keyof Schema
    ? Unsaid
    : object;

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;
