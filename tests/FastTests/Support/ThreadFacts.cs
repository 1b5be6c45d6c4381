using System.Globalization;

namespace FastTests.Support;

/// <summary>Which claim a thread has to a core, as Linux says; nothing on other systems.</summary>
/// <param name="Niceness">From -20 to 19: a thread with more of it gets less.</param>
/// <param name="Policy">The number of its scheduling policy.</param>
internal readonly record struct ThreadFacts(int Niceness, string Policy)
{
    private const string Path = "/proc/thread-self/stat";
    private const int NicenessField = 19;
    private const int PolicyField = 41;

    /// <summary>The facts of the calling thread.</summary>
    internal static ThreadFacts OfThisThread
    {
        get
        {
            if (!File.Exists(Path))
            {
                return new ThreadFacts(0, "");
            }

            // The second field is the name in parentheses, which may hold spaces.
            string text = File.ReadAllText(Path);
            string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            return new ThreadFacts(
                int.Parse(fields[NicenessField - 3], CultureInfo.InvariantCulture), fields[PolicyField - 3]);
        }
    }

    /// <summary>The facts of a new thread after an action of its own.</summary>
    internal static ThreadFacts After(Action action)
    {
        ThreadFacts facts = default;
        var thread = new Thread(() =>
        {
            action();
            facts = OfThisThread;
        });
        thread.Start();
        thread.Join();
        return facts;
    }
}
