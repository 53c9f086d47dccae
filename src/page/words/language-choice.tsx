import { languageNames } from '#shared/language.ts'
import { chooseLanguage, useLanguageChoice, type LanguageChoice as Choice } from './language.ts'
import { reloadWhenFree } from '#page/start/reload.ts'
import { text } from './text.ts'

/** Of this device, also before anybody signs in. The page is loaded anew in it, but not away from under what is typed. */
export function LanguageChoice() {
  const chosen = useLanguageChoice()
  return (
    <label className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {text.language.title}
      <select
        className="control w-auto! text-ink"
        value={chosen}
        onChange={(event) => void chooseLanguage(event.currentTarget.value as Choice).then(reloadWhenFree)}
      >
        <option value="browser">{text.language.browser}</option>
        {Object.entries(languageNames).map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
