using System.Reflection;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>
/// Every method that the client offers is called by a test of the client against the real server: each overload of each
/// type, as the compiled tests name them.
/// </summary>
public sealed class PublicMethodsTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance
        | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>What the client implements for others to call: itself, the compiler, the framework.</summary>
    private static readonly HashSet<string> CalledByOthers =
    [
        "GetCommand", "WriteTo", "CreateRequest", "ReadResponse", "ToString", "GetEnumerator", "GetAsyncEnumerator",
        "Equals", "GetHashCode", "CopyTo", "Deconstruct", "<Clone>$", "PrintMembers",
    ];

    private static readonly Assembly Client = typeof(DocumentStore).Assembly;

    private static readonly IReadOnlyList<Type> Tests = RealServerUse.Among(
        typeof(PublicMethodsTests).Assembly.GetTypes().Where(type => type.Namespace == "FastTests.Client"));

    [Fact]
    public void Every_overload_of_every_public_method_is_called_by_a_test()
    {
        HashSet<int> called = Called(Tests);
        string[] missing =
        [
            .. Client.GetExportedTypes().SelectMany(MethodsOf).Where(method => !called.Contains(method.MetadataToken))
                .Select(Describe).Order(StringComparer.Ordinal),
        ];
        Assert.True(missing.Length == 0, "No test calls\n" + string.Join('\n', missing));
    }

    [Fact]
    public void Every_operation_class_is_used_by_a_test()
    {
        HashSet<int> called = CalledMembers.Of(Client.ManifestModule, Tests);
        string[] missing =
        [
            .. Client.GetExportedTypes()
                .Where(type => type is { IsAbstract: false, IsInterface: false }
                    && type.Name.Split('`')[0].EndsWith("Operation", StringComparison.Ordinal))
                .SelectMany(type => type.GetConstructors())
                .Where(made => !called.Contains(made.MetadataToken)).Select(Describe).Order(StringComparer.Ordinal),
        ];
        Assert.True(missing.Length == 0, "No test makes\n" + string.Join('\n', missing));
    }

    [Fact]
    public void Every_event_is_subscribed_to_and_every_convention_is_set_by_a_test()
    {
        Type[] settings = [typeof(DocumentConventions), typeof(SessionOptions), typeof(BulkInsertOptions)];
        HashSet<int> called = Called(Tests);
        MethodInfo?[] wanted =
        [
            .. Client.GetExportedTypes().SelectMany(type => type.GetEvents(Declared)).Select(one => one.AddMethod),
            .. settings.SelectMany(type => type.GetProperties(Declared)).Select(property => property.SetMethod),
        ];
        string[] missing =
        [
            .. wanted.Where(method => method is { IsPublic: true } && !called.Contains(method.MetadataToken))
                .Select(method => Describe(method!)).Order(StringComparer.Ordinal),
        ];
        Assert.True(missing.Length == 0, "No test watches or sets\n" + string.Join('\n', missing));
    }

    [Fact]
    public void A_call_counts_as_a_test_of_its_own_overload_and_type_only()
    {
        HashSet<int> called = Called([typeof(OneCall)]);
        string[] counted =
        [
            .. Client.GetExportedTypes().SelectMany(MethodsOf).Where(method => called.Contains(method.MetadataToken))
                .Select(Describe).Order(StringComparer.Ordinal),
        ];
        Assert.Equal(
            ["DocumentStore.OpenSession(String database)", "IDocumentStore.OpenSession(String database)"], counted);
    }

    [Fact]
    public void Calls_of_tests_without_the_real_server_do_not_count()
    {
        string[] names = [.. Tests.Where(type => !type.IsNested).Select(type => type.Name)];
        string[] counted = ["SessionTests", "QueryFeatureTests", "HostingTests", "LinqShapes"];
        Assert.Equal(counted, counted.Intersect(names));
        Assert.Empty(names.Intersect(
            ["DocumentQueryTests", "RqlTests", "RqlRefusalTests", "WireTypesTests", "PublicMethodsTests"]));
    }

    /// <summary>What is named, and with a method of an interface or a base those that implement it, and with those the
    /// method of the interface.</summary>
    private static HashSet<int> Called(IEnumerable<Type> callers)
    {
        HashSet<int> called = CalledMembers.Of(Client.ManifestModule, callers);
        foreach (Type type in Client.GetExportedTypes()
            .Where(type => type is { IsClass: true, ContainsGenericParameters: false }))
        {
            foreach (Type contract in type.GetInterfaces().Where(contract => contract.Assembly == Client))
            {
                InterfaceMapping map = type.GetInterfaceMap(contract);
                foreach ((MethodInfo wanted, MethodInfo given) in map.InterfaceMethods.Zip(map.TargetMethods))
                {
                    if (called.Contains(wanted.MetadataToken) || called.Contains(given.MetadataToken))
                    {
                        called.Add(wanted.MetadataToken);
                        called.Add(given.MetadataToken);
                    }
                }
            }
        }

        foreach (MethodInfo method in Client.GetExportedTypes().SelectMany(MethodsOf))
        {
            if (method.GetBaseDefinition() is { } root && root != method && called.Contains(root.MetadataToken)
                && root.Module == method.Module)
            {
                called.Add(method.MetadataToken);
            }
        }

        return called;
    }

    private static IEnumerable<MethodInfo> MethodsOf(Type type) => type.IsSubclassOf(typeof(Delegate))
        ? []
        : type.GetMethods(Declared).Where(method => (method.IsPublic || method.IsFamily) && !method.IsSpecialName
            && !CalledByOthers.Contains(method.Name));

    private static string Describe(MethodBase method) =>
        $"{method.DeclaringType!.Name}.{method.Name}("
        + string.Join(", ", method.GetParameters().Select(it => $"{it.ParameterType.Name} {it.Name}")) + ")";

    /// <summary>Calls one overload of one type.</summary>
    private static class OneCall
    {
        internal static object Call(DocumentStore store) => store.OpenSession("db");
    }
}
