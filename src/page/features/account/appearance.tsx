import { text } from '#page/words/text.ts'
import { Button } from '#page/ui/button.tsx'
import { Section } from '#page/ui/screen.tsx'
import { LanguageChoice } from '#page/words/language-choice.tsx'
import { setTheme, useTheme } from '#page/theme.ts'

export function Appearance() {
  const theme = useTheme()
  return (
    <Section title={text.account.appearance}>
      <fieldset className="flex gap-2" aria-label={text.account.appearance}>
        {(['dark', 'light'] as const).map((each) => (
          <Button
            key={each}
            look={theme === each ? 'primary' : 'plain'}
            aria-pressed={theme === each}
            onClick={() => setTheme(each)}
          >
            {text.account[each]}
          </Button>
        ))}
      </fieldset>
      <LanguageChoice />
    </Section>
  )
}
