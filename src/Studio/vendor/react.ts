// React is CommonJS: what the Studio uses of it is named here.
export { Fragment, jsx, jsxs } from "react/jsx-runtime";
export {
  createContext,
  lazy,
  memo,
  StrictMode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
export { createRoot } from "react-dom/client";
