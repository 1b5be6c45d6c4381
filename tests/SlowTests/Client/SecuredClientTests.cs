using System.Reflection;
using SlowTests.Support;
using Xunit.Abstractions;
using Xunit.Sdk;

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
            (MethodInfo Method, object?[] Arguments)[] cases =
                [.. CasesOf(type).Where(_ => number++ % 3 == Commit.Third)];
            if (cases.Length == 0)
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

    private static IEnumerable<(MethodInfo Method, object?[] Arguments)> CasesOf(Type type) => type.GetMethods()
        .Where(method => method.GetCustomAttribute<FactAttribute>() != null)
        .OrderBy(method => method.Name, StringComparer.Ordinal)
        .SelectMany(method =>
        {
            object[][] rows = [.. method.GetCustomAttributes<DataAttribute>().SelectMany(data => data.GetData(method))];
            return (rows.Length == 0 ? [[]] : rows).Select(arguments => (method, (object?[])arguments));
        });

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
