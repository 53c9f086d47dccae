import '#page/api.ts'
