/** Hashing that takes no time: which password it is, and a salt, is all that the simulation needs of it. */
export async function hashPassword(password: string): Promise<string> {
  return `plain$${Math.floor(Math.random() * 2 ** 32)}$${password}`;
}

export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  return stored?.startsWith("plain$") === true && stored.endsWith(`$${password}`);
}
