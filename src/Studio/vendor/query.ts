export {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  replaceEqualDeep,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
