// Parsed by whatever Node there is, so its syntax stays old; everything newer is loaded after the check.

const OLDEST = 20;

/** Loads a script and runs its `main`; an exit code comes back, or one sentence about what is in the way. */
export const begin = (load) => {
  const version = process.versions.node;
  if (Number(version.split('.')[0]) < OLDEST) {
    console.error(`Dogear needs Node ${OLDEST} or newer with npm, and this is Node ${version}: see https://nodejs.org`);
    process.exitCode = 1;
    return;
  }
  load()
    .then(({ main }) => main(process.argv.slice(2)))
    .then(
      (code) => {
        process.exitCode = code;
      },
      (error) => {
        import('./refusal.mjs').then(({ tell }) => {
          tell(error);
          process.exitCode = 1;
        });
      },
    );
};
