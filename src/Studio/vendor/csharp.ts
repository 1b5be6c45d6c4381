export { csharp } from "@replit/codemirror-lang-csharp";
