namespace Raven.Storage.Checks;

/// <summary>What a check found: who owns which page, and everything that is wrong. Not for hot paths.</summary>
public sealed class CheckReport
{
    private const int FindingsMax = 100;

    private readonly Dictionary<long, string> _owners = [];
    private readonly List<string> _findings = [];

    /// <summary>What is wrong, as sentences; empty where nothing is. At most 100 are kept.</summary>
    public IReadOnlyList<string> Findings => _findings;

    /// <summary>The owner of each page that has one.</summary>
    public IReadOnlyDictionary<long, string> Owners => _owners;

    /// <summary>Entries and rows that were read.</summary>
    public long Entries { get; internal set; }

    internal void Find(string finding)
    {
        if (_findings.Count < FindingsMax)
        {
            _findings.Add(finding);
        }
    }

    /// <summary>Claims pages for an owner; a page that has one already is a finding.</summary>
    /// <returns>False where the first page was owned already: it must not be walked again.</returns>
    internal bool Own(long firstPage, int pages, string owner)
    {
        bool isFirstNew = true;
        for (int i = 0; i < pages; i++)
        {
            if (!_owners.TryAdd(firstPage + i, owner))
            {
                isFirstNew &= i != 0;
                Find($"page {firstPage + i} belongs to {owner} and to {_owners[firstPage + i]}");
            }
        }

        return isFirstNew;
    }
}
