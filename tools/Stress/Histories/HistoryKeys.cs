using System.Globalization;

namespace Raven.Tools.Stress.Histories;

/// <summary>
/// The lists of a history: documents, and compare-exchange values. A few are in use at a time, so that clients meet;
/// one that has become long makes room for another. Any thread.
/// </summary>
internal sealed class HistoryKeys
{
    private const int InUse = 6;
    private const int LengthMax = 40;
    private const int Groups = 3;

    private readonly int[] _documents = [.. Enumerable.Range(0, InUse)];
    private readonly int[] _values = [.. Enumerable.Range(0, InUse)];
    private readonly Dictionary<string, int> _lengths = [];
    private readonly Lock _gate = new();
    private int _lastDocument = InUse - 1;
    private int _lastValue = InUse - 1;

    /// <summary>All documents that ever were in use.</summary>
    internal string[] AllDocuments => [.. Enumerable.Range(0, _lastDocument + 1).Select(DocumentOf)];

    /// <summary>All compare-exchange values that ever were in use.</summary>
    internal string[] AllValues => [.. Enumerable.Range(0, _lastValue + 1).Select(ValueOf)];

    /// <summary>Some documents that are in use, none twice.</summary>
    internal string[] Documents(Random random, int count) => Pick(random, count, _documents, DocumentOf);

    /// <summary>Some values that are in use, none twice.</summary>
    internal string[] Values(Random random, int count) => Pick(random, count, _values, ValueOf);

    /// <summary>The group of a document, by which it is found in queries.</summary>
    internal static string GroupOf(string document)
    {
        ReadOnlySpan<char> number = document.AsSpan(document.IndexOf('/', StringComparison.Ordinal) + 1);
        return $"g{int.Parse(number, CultureInfo.InvariantCulture) % Groups}";
    }

    /// <summary>Notes that a number is appended, perhaps.</summary>
    internal void Appended(string key)
    {
        lock (_gate)
        {
            int length = _lengths[key] = _lengths.GetValueOrDefault(key) + 1;
            if (length != LengthMax)
            {
                return;
            }

            for (int i = 0; i < InUse; i++)
            {
                if (DocumentOf(_documents[i]) == key)
                {
                    _documents[i] = ++_lastDocument;
                }
                else if (ValueOf(_values[i]) == key)
                {
                    _values[i] = ++_lastValue;
                }
            }
        }
    }

    private string[] Pick(Random random, int count, int[] from, Func<int, string> nameOf)
    {
        lock (_gate)
        {
            return [.. random.GetItems(from, count).Distinct().Select(nameOf)];
        }
    }

    private static string DocumentOf(int number) => string.Create(CultureInfo.InvariantCulture, $"lists/{number}");

    private static string ValueOf(int number) => string.Create(CultureInfo.InvariantCulture, $"values/{number}");
}
