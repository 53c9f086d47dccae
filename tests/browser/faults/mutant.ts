// A build of the product with one rule broken on purpose: the same texts as the model plants as it loads, and some of its own.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { mutate } from '#tests/soak/mutants.ts'
import { mutants } from './mutants.ts'
import { root } from '#tools/sources.ts'

export interface MutantBuild {
  folder: string
  remove(): void
}

export async function buildMutant(name: string): Promise<MutantBuild> {
  const mutant = mutants[name]
  if (!mutant) throw new Error(`No such mutant: ${name}. There are ${Object.keys(mutants).join(', ')}`)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-mutant-'))
  for (const each of fs.readdirSync(root)) {
    if (each === 'node_modules') fs.symlinkSync(path.join(root, each), path.join(folder, each))
    else if (!/^(dist|data|test-results|\..*)$/.test(each))
      fs.cpSync(path.join(root, each), path.join(folder, each), { recursive: true })
  }
  const file = path.join(folder, mutant.file)
  fs.writeFileSync(file, mutate(fs.readFileSync(file, 'utf8'), mutant))
  await promisify(execFile)(process.execPath, ['tools/build.ts'], { cwd: folder })
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
