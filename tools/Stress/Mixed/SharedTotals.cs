namespace Raven.Tools.Stress.Mixed;

/// <summary>
/// Numbers that all writers add to: of each, what was acknowledged and what was tried. What is there after a kill must
/// lie between the two. Safe for all threads.
/// </summary>
internal sealed class SharedTotals
{
    private readonly Dictionary<string, (long Acknowledged, long Attempted)> _totals = new(StringComparer.Ordinal);
    private readonly Lock _lock = new();

    /// <summary>All numbers that were ever added to.</summary>
    internal string[] Names
    {
        get
        {
            lock (_lock)
            {
                return [.. _totals.Keys];
            }
        }
    }

    /// <summary>To be called before a request is sent.</summary>
    internal void Begin(string name, long delta) => Add(name, 0, delta);

    /// <summary>The server did what was begun.</summary>
    internal void Acknowledge(string name, long delta) => Add(name, delta, 0);

    /// <summary>The server said that it did not do what was begun.</summary>
    internal void Withdraw(string name, long delta) => Add(name, 0, -delta);

    /// <summary>Judges what is there, and takes it as the new truth.</summary>
    /// <returns>What is wrong, or null.</returns>
    internal string? Judge(string name, long found)
    {
        lock (_lock)
        {
            (long acknowledged, long attempted) = _totals[name];
            _totals[name] = (found, found);
            return found < acknowledged ? $"'{name}' was acknowledged up to {acknowledged} and is {found}"
                : found > attempted ? $"'{name}' is {found}, though only {attempted} were ever added"
                : null;
        }
    }

    private void Add(string name, long acknowledged, long attempted)
    {
        lock (_lock)
        {
            (long before, long tried) = _totals.GetValueOrDefault(name);
            _totals[name] = (before + acknowledged, tried + attempted);
        }
    }
}
