namespace Raven.Storage.Checks;

/// <summary>What a check found: who owns which page, and everything that is wrong. Not for hot paths.</summary>
public sealed class CheckReport
{
    private const int FindingsMax = 100;

    private readonly List<string> _findings = [];

    /// <summary>A report on one state.</summary>
    internal CheckReport()
        : this(new PageLedger(remembers: false))
    {
    }

    /// <summary>A report on what has changed since the ledger was written.</summary>
    internal CheckReport(PageLedger ledger) => Ledger = ledger;

    /// <summary>What is wrong, as sentences; empty if nothing is. At most 100 are kept.</summary>
    public IReadOnlyList<string> Findings => _findings;

    /// <summary>The owner of each page that has one. Made at each call.</summary>
    public IReadOnlyDictionary<long, string> Owners => Ledger.Owners();

    /// <summary>Entries and rows that were read.</summary>
    public long Entries { get; internal set; }

    /// <summary>Who owns which page.</summary>
    internal PageLedger Ledger { get; }

    internal void Find(string finding)
    {
        if (_findings.Count < FindingsMax)
        {
            _findings.Add(finding);
        }
    }

    /// <summary>Returns the findings and clears the list.</summary>
    internal string[] TakeFindings()
    {
        string[] findings = [.. _findings];
        _findings.Clear();
        return findings;
    }
}
