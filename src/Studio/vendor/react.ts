// React is CommonJS: what the Studio uses of it is named here.

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
export { Fragment, jsx, jsxs } from "react/jsx-runtime";
export { createRoot } from "react-dom/client";
