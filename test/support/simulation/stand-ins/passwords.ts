/** Hashing that takes no time. The simulation only needs the password and a salt. */
export async function hashPassword(password: string): Promise<string> {
  return `plain$${Math.floor(Math.random() * 2 ** 32)}$${password}`;
}

export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  return stored?.startsWith("plain$") === true && stored.endsWith(`$${password}`);
}
