// The page's words for tests that import its modules: what main.tsx does before the first screen.
import { english as appEnglish } from '#page/words/app-english.ts'
import { speakApp } from '#page/words/app-text.ts'
import { english } from '#page/words/english.ts'
import { speak } from '#page/words/text.ts'

speak(english)
speakApp(appEnglish)
