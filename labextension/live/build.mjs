/** Builds the two files that the Python package carries; with --tests, the tests instead. `node build.mjs FOLDER` */

import { build, transform } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';

const [folder, ...flags] = process.argv.slice(2);
/** The style as a text of short lines, without what only a reader needs: notebooks that save widgets save it. */
const style = {
  name: 'style',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const options = { loader: 'css', charset: 'utf8', minify: true, lineLimit: 160 };
      const { code } = await transform(readFileSync(path, 'utf8'), options);
      return { contents: `export default String.raw\`${code}\`;` };
    });
  }
};
const shared = {
  bundle: true,
  charset: 'utf8',
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [style],
  target: 'es2022'
};
if (flags.includes('--tests')) {
  const tests = readdirSync('tests').filter(name => name.endsWith('.test.ts'));
  await build({
    ...shared,
    entryPoints: tests.map(name => `tests/${name}`),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node'
  });
} else {
  // Lines are short enough to be compared; what they do is read in src.
  const small = { minify: true, lineLimit: 160 };
  await build({ ...shared, ...small, entryPoints: { live: 'src/index.ts', loader: 'src/loader.ts' }, outdir: folder });
}
