export const checkOpenapiConfig = (_: unknown) => [];
