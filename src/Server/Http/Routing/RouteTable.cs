using System.Reflection;

namespace Raven.Server.Http.Routing;

/// <summary>
/// All routes of the server: found by <see cref="RouteAttribute"/>, bound once to delegates, looked up by path and
/// method. Immutable and safe for all threads; the one of the server itself is built once per process.
/// </summary>
public sealed class RouteTable
{
    /// <summary>What a method gives that has a list of routes.</summary>
    private static readonly Type RouteList = typeof(IEnumerable<(RouteAttribute Attribute, RouteHandler Handler)>);

    private static readonly Lazy<RouteTable> Shared = new(() => FromTypes(typeof(RouteTable).Assembly.GetTypes()));

    private readonly RouteTrie _trie;
    private readonly Endpoint[] _endpoints;

    private RouteTable(RouteTrie trie, Endpoint[] endpoints, Route[] routes)
    {
        _trie = trie;
        _endpoints = endpoints;
        Routes = routes;
    }

    /// <summary>The routes of this server.</summary>
    public static RouteTable Default => Shared.Value;

    /// <summary>All routes, in the order of path and method; a route's number is its position.</summary>
    public IReadOnlyList<Route> Routes { get; }

    /// <summary>Makes the table for the route attributes of some types.</summary>
    /// <exception cref="InvalidOperationException">A method has the wrong shape, or two have the
    /// same route.</exception>
    public static RouteTable FromTypes(IEnumerable<Type> types)
    {
        ArgumentNullException.ThrowIfNull(types);
        var found = new List<(RouteAttribute Attribute, RouteHandler Handler)>();
        const BindingFlags methods = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        foreach (Type type in types.Where(type => type is { IsClass: true, IsAbstract: true, IsSealed: true }))
        {
            foreach (MethodInfo method in type.GetMethods(methods))
            {
                if (method.ReturnType == RouteList && method.GetCustomAttribute<RouteListAttribute>() is not null)
                {
                    found.AddRange(
                        (IEnumerable<(RouteAttribute Attribute, RouteHandler Handler)>)method.Invoke(null, null)!);
                }

                foreach (RouteAttribute attribute in method.GetCustomAttributes<RouteAttribute>())
                {
                    found.Add((attribute, Bind(method)));
                }
            }
        }

        return FromHandlers(found);
    }

    /// <summary>Makes the table for given handlers.</summary>
    /// <exception cref="InvalidOperationException">Two have the same route.</exception>
    public static RouteTable FromHandlers(IEnumerable<(RouteAttribute Attribute, RouteHandler Handler)> handlers)
    {
        (RouteAttribute Attribute, RouteHandler Handler)[] sorted =
            [.. handlers.OrderBy(h => h.Attribute.Path, StringComparer.Ordinal).ThenBy(h => h.Attribute.Method)];
        var builder = new RouteTrieBuilder();
        var endpoints = new List<Endpoint>();
        var routes = new Route[sorted.Length];
        for (int i = 0; i < sorted.Length; i++)
        {
            (RouteAttribute attribute, RouteHandler handler) = sorted[i];
            HttpVerb verb = HttpVerbs.Parse(attribute.Method);
            if (verb == HttpVerb.Unknown)
            {
                throw new InvalidOperationException($"No such method: {attribute.Method} {attribute.Path}.");
            }

            int number = builder.Add(attribute.Path, endpoints.Count);
            if (number == endpoints.Count)
            {
                endpoints.Add(new Endpoint());
            }

            routes[i] = new Route(i, verb, attribute, handler);
            endpoints[number].Add(routes[i]);
        }

        return new RouteTable(builder.Build(), [.. endpoints], routes);
    }

    /// <summary>Finds the route of a request. Allocates nothing.</summary>
    /// <param name="verb">The method; HEAD falls back to GET.</param>
    /// <param name="path">The decoded path.</param>
    /// <param name="captures">Receives what <c>*</c> and <c>$</c> matched.</param>
    /// <param name="route">The route, or null.</param>
    /// <param name="allow">If the path has no such method: the methods that it has, for the Allow header.</param>
    /// <returns>True if there is a route; otherwise <paramref name="allow"/> is null for a 404, and not null for
    /// a 405.</returns>
    public bool TryFind(
        HttpVerb verb, ReadOnlySpan<char> path, ref RouteCaptures captures, out Route? route, out string? allow)
    {
        if (!_trie.TryMatch(path, ref captures, out int number))
        {
            route = null;
            allow = null;
            return false;
        }

        Endpoint endpoint = _endpoints[number];
        route = endpoint.ByVerb[(int)verb];
        allow = route == null ? endpoint.Allow : null;
        return route != null;
    }

    private static RouteHandler Bind(MethodInfo method)
    {
        ParameterInfo[] parameters = method.GetParameters();
        if (method.ReturnType != typeof(ValueTask) || parameters.Length != 1
            || parameters[0].ParameterType != typeof(RequestContext))
        {
            throw new InvalidOperationException(
                $"{method.DeclaringType}.{method.Name} has a route, so it must be a "
                + $"'ValueTask {method.Name}(RequestContext)'.");
        }

        return method.CreateDelegate<RouteHandler>();
    }

    private sealed class Endpoint
    {
        internal Route?[] ByVerb { get; } = new Route?[HttpVerbs.Count];

        internal string Allow { get; private set; } = "";

        internal void Add(Route route)
        {
            Route? present = ByVerb[(int)route.Verb];
            if (present != null && !(route.Verb == HttpVerb.Head && present.Verb == HttpVerb.Get))
            {
                throw new InvalidOperationException($"Two handlers have one route: {present} and {route}.");
            }

            ByVerb[(int)route.Verb] = route;
            if (route.Verb == HttpVerb.Get)
            {
                ByVerb[(int)HttpVerb.Head] ??= route;
            }

            IEnumerable<string> names = Enum.GetValues<HttpVerb>()
                .Where(verb => ByVerb[(int)verb] != null || verb == HttpVerb.Options).Select(HttpVerbs.Name);
            Allow = string.Join(", ", names);
        }
    }
}
