using System.Globalization;

namespace Raven.Tools.SlowestTests;

/// <summary>
/// Which tests take the time. Tests run in parallel, so the sum says what they cost and the
/// longest one how short the whole run can become.
/// </summary>
public static class SlowestReport
{
    /// <summary>Writes the <paramref name="count"/> slowest tests, the classes that cost most in sum, and what each
    /// room costs.</summary>
    public static void Write(TextWriter output, IReadOnlyCollection<TestOutcome> outcomes, int count)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(outcomes);
        output.WriteLine("seconds  test");
        foreach (TestOutcome test in outcomes.OrderByDescending(test => test.Duration).Take(count))
        {
            string failed = test.Outcome is "Passed" or "NotExecuted" ? "" : $"  [{test.Outcome}]";
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"{test.Duration.TotalSeconds,7:0.000}  {test.Name}{failed}"));
        }

        output.WriteLine();
        WriteSums(output, "class", outcomes, ClassOf, count);
        output.WriteLine();
        WriteSums(output, "room", outcomes, RoomOf, int.MaxValue);
        output.WriteLine();
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{outcomes.Count} tests, {outcomes.Sum(test => test.Duration.TotalSeconds):0.0} s in sum"));
    }

    /// <summary>The room that a test is of: its assembly and the first folder, <c>FastTests.Storage</c>.</summary>
    public static string RoomOf(string testName)
    {
        string[] parts = ClassOf(testName).Split('.');
        return string.Join('.', parts[..Math.Min(2, Math.Max(1, parts.Length - 1))]);
    }

    /// <summary>
    /// The name of the class in a full test name; the arguments of a theory may contain dots and are cut first.
    /// </summary>
    public static string ClassOf(string testName)
    {
        ArgumentNullException.ThrowIfNull(testName);
        int arguments = testName.IndexOf('(', StringComparison.Ordinal);
        string method = arguments < 0 ? testName : testName[..arguments];
        int dot = method.LastIndexOf('.');
        return dot < 0 ? method : method[..dot];
    }

    private static void WriteSums(
        TextWriter output, string of, IReadOnlyCollection<TestOutcome> outcomes, Func<string, string> nameOf, int count)
    {
        output.WriteLine($"seconds  tests  {of}");
        var sums = outcomes.GroupBy(test => nameOf(test.Name))
            .Select(group => (
                Name: group.Key, Count: group.Count(), Seconds: group.Sum(test => test.Duration.TotalSeconds)))
            .OrderByDescending(group => group.Seconds);
        foreach ((string name, int tests, double seconds) in sums.Take(count))
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{seconds,7:0.000}  {tests,5}  {name}"));
        }
    }
}
