export const checkRestConfig = (_: unknown) => [];
