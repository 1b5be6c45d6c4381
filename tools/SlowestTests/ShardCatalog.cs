using System.Reflection;
using System.Runtime.Loader;

namespace Raven.Tools.SlowestTests;

/// <summary>
/// Finds the shards of a test assembly: the values of <c>[Trait("Shard", name)]</c> on its classes and methods.
/// </summary>
public static class ShardCatalog
{
    private const string TraitName = "Shard";

    /// <summary>
    /// The shards of the assembly file, in order of their names. The assembly is loaded, nothing in it is run.
    /// </summary>
    public static IReadOnlyList<string> Find(string assemblyPath)
    {
        string full = Path.GetFullPath(assemblyPath);
        var resolver = new AssemblyDependencyResolver(full);
        var context = new AssemblyLoadContext("tests");
        context.Resolving += (_, name) => resolver.ResolveAssemblyToPath(name) is { } path
            ? context.LoadFromAssemblyPath(path)
            : null;
        return Find(context.LoadFromAssemblyPath(full).GetTypes());
    }

    /// <summary>The shards that these types and their methods name.</summary>
    public static IReadOnlyList<string> Find(IEnumerable<Type> types)
    {
        ArgumentNullException.ThrowIfNull(types);
        const BindingFlags All =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
        IEnumerable<MemberInfo> members = types.SelectMany(type => type.GetMethods(All).Prepend<MemberInfo>(type));
        return
        [
            .. members.SelectMany(member => member.GetCustomAttributesData())
                .Where(data => data.AttributeType.FullName == "Xunit.TraitAttribute")
                .Select(data => data.ConstructorArguments)
                .Where(arguments => arguments is [{ Value: TraitName }, { Value: string }])
                .Select(arguments => (string)arguments[1].Value!)
                .Distinct(StringComparer.Ordinal)
                .Order(StringComparer.Ordinal),
        ];
    }

    /// <summary>The filter of <c>dotnet test</c> for the tests of one shard.</summary>
    public static string FilterOf(string shard) => $"{TraitName}={shard}";

    /// <summary>The filter for the tests that are in no shard: they are run too, as a shard of their own.</summary>
    public static string FilterOfTheRest(IEnumerable<string> shards) =>
        string.Join('&', shards.Select(shard => $"{TraitName}!={shard}"));
}
