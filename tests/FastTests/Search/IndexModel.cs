using System.Globalization;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;

namespace FastTests.Search;

/// <summary>What an index should hold, kept beside it by the same random steps.</summary>
internal sealed class IndexModel
{
    private const string Words = "red green blue fox dog cat runs jumps over under moon sun river stone";

    private readonly SortedDictionary<string, List<string>> _documents = new(StringComparer.Ordinal);

    internal int Batches { get; private set; }

    internal IndexModel Freeze()
    {
        IndexModel copy = new() { Batches = Batches };
        foreach ((string id, List<string> entries) in _documents)
        {
            copy._documents[id] = [.. entries];
        }

        return copy;
    }

    internal string Text()
    {
        StringBuilder text = new();
        foreach ((string id, List<string> entries) in _documents)
        {
            text.Append(text.Length > 0 ? "\n" : "").Append(id).Append(": ")
                .Append(string.Join(" | ", entries.Order(StringComparer.Ordinal)));
        }

        return text.ToString();
    }

    /// <summary>One batch of updates and deletes, committed with its number as position.</summary>
    internal void Step(Random random, SearchIndex index, int documentsMax)
    {
        using IndexBatch batch = index.BeginBatch();
        IndexField name = batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword);
        IndexField tags = batch.GetOrAddField("Tags", FieldKind.Exact, Analyzers.Keyword);
        IndexField text = batch.GetOrAddField("Text", FieldKind.FullText, Analyzers.Standard);
        int count = random.Next(1, documentsMax);
        for (int i = 0; i < count; i++)
        {
            string id = "docs/" + random.Next(documentsMax * 4);
            batch.Delete(Encoding.UTF8.GetBytes(id));
            _documents.Remove(id);
            if (random.Next(4) == 0)
            {
                continue;
            }

            List<string> entries = _documents[id] = [];
            for (int entry = random.Next(10) == 0 ? 3 : 1; entry > 0; entry--)
            {
                entries.Add(AddEntry(random, batch, id, name, tags, text));
            }
        }

        batch.Commit(BitConverter.GetBytes(Batches + 1));
        Batches++;
    }

    private static string AddEntry(
        Random random, IndexBatch batch, string id, IndexField name, IndexField tags, IndexField text)
    {
        SortedSet<string> terms = new(StringComparer.Ordinal);
        batch.BeginEntry(Encoding.UTF8.GetBytes(id));
        string value = "Name " + random.Next(20);
        batch.Add(name, Encoding.UTF8.GetBytes(value));
        terms.Add($"Name='{value.ToLowerInvariant()}'");
        for (int i = random.Next(4); i > 0; i--)
        {
            terms.Add("Tags=" + AddTag(random, batch, tags));
        }

        if (random.Next(3) > 0)
        {
            AddText(random, batch, text, terms);
        }

        string stored = "";
        if (random.Next(3) == 0)
        {
            byte[] bytes = new byte[random.Next(1, 9)];
            random.NextBytes(bytes);
            batch.Store(bytes);
            stored = " #" + Convert.ToHexString(bytes);
        }

        batch.EndEntry();
        return string.Join(' ', terms) + stored;
    }

    private static string AddTag(Random random, IndexBatch batch, IndexField tags)
    {
        switch (random.Next(7))
        {
            case 0:
                batch.AddNull(tags);
                return "null";
            case 1:
                bool flag = random.Next(2) == 0;
                batch.Add(tags, flag);
                return flag ? "true" : "false";
            case 2:
                long big = random.NextInt64(long.MinValue, long.MaxValue);
                batch.Add(tags, big);
                return big.ToString(CultureInfo.InvariantCulture);
            case 3:
                double number = (random.Next(100) - 50) / 4.0;
                batch.Add(tags, number);
                return number == Math.Floor(number)
                    ? ((long)number).ToString(CultureInfo.InvariantCulture)
                    : number.ToString("R", CultureInfo.InvariantCulture);
            case 4:
                long small = random.Next(-30, 30);
                batch.Add(tags, small);
                return small.ToString(CultureInfo.InvariantCulture);
            default:
                string tag = new('x', random.Next(40));
                batch.Add(tags, Encoding.UTF8.GetBytes(tag));
                return $"'{tag}'";
        }
    }

    private static void AddText(Random random, IndexBatch batch, IndexField text, SortedSet<string> terms)
    {
        string[] words = Words.Split(' ');
        SortedDictionary<string, List<int>> positions = new(StringComparer.Ordinal);
        List<string> chosen = [];
        for (int i = random.Next(1, 60); i > 0; i--)
        {
            string word = words[random.Next(words.Length)];
            if (!positions.TryGetValue(word, out List<int>? places))
            {
                positions[word] = places = [];
            }

            places.Add(chosen.Count);
            chosen.Add(word);
        }

        batch.Add(text, Encoding.UTF8.GetBytes(string.Join(", ", chosen)));
        foreach ((string word, List<int> places) in positions)
        {
            terms.Add($"Text='{word}'@{string.Join(',', places)}");
        }
    }
}
