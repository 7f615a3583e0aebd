/** Fills `${NAME}` as envsubst does, but refuses a name that nobody gave. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template asks for ${name}.`);
    return value;
  });

/** Reads `NAME=value` lines, quotes around a value being none of it. */
export const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1).replace(/^"(.*)"$/, '$1')];
      }),
  );
