using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;

namespace FastTests.Search;

/// <summary>The entries of an index in plain lists, and random batches that change both.</summary>
internal sealed class NaiveIndex
{
    internal static readonly string[] Vocabulary =
        "red green blue fox dog cat runs jumped over under moon sun river stone rivers foxes redder grün"
            .Split(' ');

    private readonly TokenBuffer _tokens = new();
    private Dictionary<string, List<NaiveEntry>> _documents = [];

    internal IEnumerable<NaiveEntry> Entries => _documents.Values.SelectMany(entries => entries);

    internal NaiveIndex Freeze() => new() { _documents = new(_documents) };

    /// <summary>One batch: updates, deletes, new documents.</summary>
    internal void Step(Random random, SearchIndex index, int count, int documentsMax)
    {
        using IndexBatch batch = index.BeginBatch();
        for (int i = 0; i < count; i++)
        {
            string id = $"docs/{random.Next(documentsMax)}";
            batch.Delete(Encoding.UTF8.GetBytes(id));
            _documents.Remove(id);
            if (random.Next(6) > 0)
            {
                List<NaiveEntry> entries = [];
                for (int left = random.Next(6) == 0 ? random.Next(2, 5) : 1; left > 0; left--)
                {
                    entries.Add(Add(random, batch, id, entries));
                }

                _documents[id] = entries;
            }
        }

        batch.Commit(default);
    }

    private NaiveEntry Add(Random random, IndexBatch batch, string id, List<NaiveEntry> siblings)
    {
        NaiveEntry entry = new() { Id = id, Siblings = siblings };
        batch.BeginEntry(Encoding.UTF8.GetBytes(id));
        IndexField name = batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword);
        IndexField number = batch.GetOrAddField("Number", FieldKind.Exact, Analyzers.Keyword);
        IndexField tags = batch.GetOrAddField("Tags", FieldKind.Exact, Analyzers.Keyword);
        IndexField text = batch.GetOrAddField("Text", FieldKind.FullText, Analyzers.English);
        if (random.Next(10) > 0)
        {
            AddText(entry, batch, name, $"Name {Word(random)} {random.Next(30)}");
        }

        if (random.Next(8) > 0)
        {
            AddNumber(random, entry, batch, number);
        }

        for (int i = random.Next(4); i > 0; i--)
        {
            AddTag(random, entry, batch, tags);
        }

        if (random.Next(5) > 0)
        {
            AddWords(random, entry, batch, text);
        }

        batch.EndEntry();
        return entry;
    }

    private static string Word(Random random) => Vocabulary[random.Next(Vocabulary.Length)];

    private static List<object?> ListOf(NaiveEntry entry, IndexField field)
    {
        if (!entry.Values.TryGetValue(field.Name, out List<object?>? values))
        {
            entry.Values[field.Name] = values = [];
        }

        return values;
    }

    private static void AddText(NaiveEntry entry, IndexBatch batch, IndexField field, string text)
    {
        batch.Add(field, Encoding.UTF8.GetBytes(text));
        ListOf(entry, field).Add(field.Analyzer == Analyzers.LowerCaseKeyword ? text.ToLowerInvariant() : text);
    }

    private static void AddNumber(Random random, NaiveEntry entry, IndexBatch batch, IndexField field)
    {
        if (random.Next(2) == 0)
        {
            long value = random.Next(10) == 0 ? random.NextInt64() : random.Next(-40, 40);
            batch.Add(field, value);
            ListOf(entry, field).Add((decimal)value);
        }
        else
        {
            double value = random.Next(-80, 80) / 4.0;
            batch.Add(field, value);
            ListOf(entry, field).Add((decimal)value);
        }
    }

    private static void AddTag(Random random, NaiveEntry entry, IndexBatch batch, IndexField field)
    {
        switch (random.Next(6))
        {
            case 0:
                batch.AddNull(field);
                ListOf(entry, field).Add(null);
                break;
            case 1:
                bool flag = random.Next(2) == 0;
                batch.Add(field, flag);
                ListOf(entry, field).Add(flag);
                break;
            case 2:
                AddNumber(random, entry, batch, field);
                break;
            default:
                AddText(entry, batch, field, Word(random) + (random.Next(2) == 0 ? "" : random.Next(120)));
                break;
        }
    }

    private void AddWords(Random random, NaiveEntry entry, IndexBatch batch, IndexField field)
    {
        string text = string.Join(' ', Enumerable.Range(0, random.Next(1, 40)).Select(_ => Word(random)));
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        batch.Add(field, bytes);
        _tokens.Clear();
        field.Analyzer.Analyze(bytes, _tokens, 0);
        foreach (Token token in _tokens.Tokens)
        {
            entry.Words.Add((Encoding.UTF8.GetString(_tokens.Term(token)), token.Position));
        }
    }
}
