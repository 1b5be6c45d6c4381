using System.Reflection;
using SlowTests.Support;
using Xunit.Sdk;
using Xunit.v3;

namespace SlowTests.Client;

/// <summary>
/// The scenarios of the client over https with a certificate. All of them are tests of this project, of no shard; here
/// each third runs in CI, by the commit, as traits cannot say which.
/// </summary>
[Trait(Category.Shard, "node-tls")]
public sealed class SecuredClientTests(ITestOutputHelper output)
{
    private const int ScenariosMin = 40;

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public async Task A_third_of_the_scenarios_passes_over_https()
    {
        List<string> failures = [];
        int passed = 0;
        int number = 0;
        foreach (Type type in Scenarios())
        {
            List<(MethodInfo Method, object?[] Arguments)> cases =
                [.. (await CasesOfAsync(type)).Where(_ => number++ % 3 == Commit.Third)];
            if (cases.Count == 0)
            {
                continue;
            }

            object fixture = Activator.CreateInstance(FixtureOf(type))!;
            foreach ((MethodInfo method, object?[] arguments) in cases)
            {
                if (await FailureOfAsync(type, fixture, method, arguments) is { } failure)
                {
                    failures.Add($"{type.Name}.{method.Name}({string.Join(", ", arguments)}): {failure}");
                }
                else
                {
                    passed++;
                }
            }

            (fixture as IDisposable)?.Dispose();
        }

        output.WriteLine($"{passed} of {number} scenarios");
        Assert.Empty(failures);
        Assert.True(passed > ScenariosMin, $"only {passed} scenarios");
    }

    private static IEnumerable<Type> Scenarios() => typeof(SecuredClientTests).Assembly.GetTypes()
        .Where(type => type.Namespace == "FastTests.Client" && FixtureInterfaceOf(type) != null)
        .OrderBy(type => type.Name, StringComparer.Ordinal);

    private static Type? FixtureInterfaceOf(Type type) => type.GetInterfaces().FirstOrDefault(
        each => each.IsGenericType && each.GetGenericTypeDefinition() == typeof(IClassFixture<>));

    private static Type FixtureOf(Type type) => FixtureInterfaceOf(type)!.GetGenericArguments()[0];

    private static async Task<List<(MethodInfo Method, object?[] Arguments)>> CasesOfAsync(Type type)
    {
        var cases = new List<(MethodInfo, object?[])>();
        foreach (MethodInfo method in type.GetMethods()
            .Where(method => method.GetCustomAttribute<FactAttribute>() != null)
            .OrderBy(method => method.Name, StringComparer.Ordinal))
        {
            await using var ownedByRows = new DisposalTracker();
            DataAttribute[] sources = [.. method.GetCustomAttributes<DataAttribute>()];
            foreach (DataAttribute source in sources)
            {
                cases.AddRange((await source.GetData(method, ownedByRows)).Select(row => (method, row.GetData())));
            }

            if (sources.Length == 0)
            {
                cases.Add((method, []));
            }
        }

        return cases;
    }

    /// <summary>Runs one case on an instance of its own; gives what it failed with, null if it passed.</summary>
    private static async Task<string?> FailureOfAsync(
        Type type, object fixture, MethodInfo method, object?[] arguments)
    {
        try
        {
            object instance = Activator.CreateInstance(type, fixture)!;
            try
            {
                if (method.Invoke(instance, arguments) is Task running)
                {
                    await running;
                }
            }
            finally
            {
                (instance as IDisposable)?.Dispose();
            }

            return null;
        }
        catch (Exception e)
        {
            return (e is TargetInvocationException { InnerException: { } inner } ? inner : e).ToString();
        }
    }
}
