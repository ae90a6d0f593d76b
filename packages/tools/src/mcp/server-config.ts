export const checkServerConfig = (_: unknown) => [];
