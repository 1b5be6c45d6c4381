using System.Reflection;

namespace FastTests.Client;

/// <summary>
/// Which types are code of a test that has the real server: a class of tests, or what it reaches of this namespace,
/// names one of the ways to start it. What texts alone are compared with is no test of what a server answers.
/// </summary>
internal static class RealServerUse
{
    /// <summary>By name: naming the types here would make every user of this class a test of the server.</summary>
    private static readonly string[] Servers =
        ["FastTests.Server.TestServer", "Raven.Server.EmbeddedServer", "Raven.TestDriver.RavenTestDriver"];

    /// <summary>The tests among some types that have the server, with their helpers and all that is nested in
    /// them.</summary>
    internal static IReadOnlyList<Type> Among(IEnumerable<Type> types)
    {
        ILookup<Type, Type> parts = types.ToLookup(Outermost);
        HashSet<Type> counted = [];
        foreach (Type tests in parts.Select(part => part.Key).Where(HasTests))
        {
            HashSet<Type> reached = [tests];
            Reach(tests, parts, reached);
            if (reached.Any(type => Servers.Contains(type.FullName)))
            {
                counted.UnionWith(reached);
            }
        }

        return [.. counted.SelectMany(type => parts[type])];
    }

    /// <summary>Adds what a type names, and what that names, but no other class of tests.</summary>
    private static void Reach(Type type, ILookup<Type, Type> parts, HashSet<Type> reached)
    {
        foreach (Type named in parts[type].SelectMany(NamedTypes).Select(Outermost).Distinct())
        {
            if (!HasTests(named) && reached.Add(named))
            {
                Reach(named, parts, reached);
            }
        }
    }

    private static IEnumerable<Type> NamedTypes(Type type) => CalledMembers.NamedBy(type)
        .SelectMany(member => member is Type itself ? [itself] : Owner(member))
        .Concat(type.GetInterfaces().SelectMany(contract => contract.GetGenericArguments()))
        .Concat(type.BaseType is { } parent ? [parent] : [])
        .Where(named => !named.IsGenericParameter);

    private static IEnumerable<Type> Owner(MemberInfo member) =>
        member.DeclaringType is { } owner ? [owner, .. owner.GetGenericArguments()] : [];

    private static Type Outermost(Type type)
    {
        Type whole = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        return whole.DeclaringType is { } outer ? Outermost(outer) : whole;
    }

    private static bool HasTests(Type type) =>
        type.GetMethods().Any(method => method.IsDefined(typeof(FactAttribute), inherit: true));
}
