// The page's words for tests that import its modules: what main.tsx does before the first screen.
import { english as appEnglish } from '#page/app-english.ts'
import { speakApp } from '#page/app-text.ts'
import { english } from '#page/english.ts'
import { speak } from '#page/text.ts'

speak(english)
speakApp(appEnglish)
