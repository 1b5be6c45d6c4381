export { MergeView, unifiedMergeView } from "@codemirror/merge";
