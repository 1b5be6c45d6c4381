using System.Reflection;
using System.Text.RegularExpressions;
using FastTests.Architecture;
using Raven.Client.Documents;

namespace FastTests.Client;

/// <summary>Every method that the client offers is called by a test of the client.</summary>
public sealed partial class PublicMethodsTests
{
    /// <summary>What the client implements for others to call.</summary>
    private static readonly HashSet<string> CalledByOthers =
    [
        "GetCommand", "WriteTo", "CreateIndexDefinition", "ToString", "GetEnumerator", "GetAsyncEnumerator", "Equals",
        "GetHashCode", "CopyTo", "Deconstruct", "<Clone>$", "GetBaseException", "GetObjectData", "OnCompleted",
    ];

    [Fact]
    public void Every_public_method_is_called_by_a_test()
    {
        HashSet<string> called =
        [
            .. SourceTree.Files.Where(file => file.IsIn("tests/FastTests/Client/"))
                .SelectMany(file => Call().Matches(string.Join('\n', file.Lines)))
                .Select(match => match.Groups[1].Value),
        ];
        string[] missing =
        [
            .. typeof(DocumentStore).Assembly.GetExportedTypes().SelectMany(MethodsOf)
                .Where(method => !called.Contains(method.Name) && !CalledByOthers.Contains(method.Name))
                .Select(method => $"{method.DeclaringType!.Name}.{method.Name}").Distinct()
                .Order(StringComparer.Ordinal),
        ];
        Assert.True(missing.Length == 0, "No test calls " + string.Join(", ", missing));
    }

    [Fact]
    public void Every_operation_is_sent_by_a_test()
    {
        string text = string.Join('\n', SourceTree.Files
            .Where(file => file.IsIn("tests/FastTests/Client/")).SelectMany(file => file.Lines));
        string[] missing =
        [
            .. typeof(DocumentStore).Assembly.GetExportedTypes()
                .Where(type => type.Name.Split('`')[0].EndsWith("Operation", StringComparison.Ordinal)
                    && type is { IsAbstract: false, IsInterface: false })
                .Select(type => type.Name.Split('`')[0])
                .Where(name => !Regex.IsMatch(text, $@"\b{name}\b")),
        ];
        Assert.True(missing.Length == 0, "No test sends " + string.Join(", ", missing));
    }

    private static IEnumerable<MethodInfo> MethodsOf(Type type) => type
        .GetMethods(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
            | BindingFlags.DeclaredOnly)
        .Where(method => (method.IsPublic || method.IsFamily) && !method.IsSpecialName);

    /// <summary>A name before a parenthesis, or before the type arguments of a call.</summary>
    [GeneratedRegex(@"\b([A-Z]\w*)(?:<[^;{}()=.]*>)?\s*\(")]
    private static partial Regex Call();
}
