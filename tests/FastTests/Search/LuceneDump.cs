using System.Text;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Lucene.Engine.Searchers;

namespace FastTests.Search;

/// <summary>All that an index of Lucene holds, as <see cref="IndexDump"/> writes it.</summary>
internal static class LuceneDump
{
    internal static void Read(
        ILuceneSnapshot snapshot, IReadOnlyList<IndexField> fields,
        SortedDictionary<string, List<string>> documents)
    {
        using (snapshot.Enter())
        {
            foreach (AtomicReaderContext leaf in snapshot.Reader.Leaves)
            {
                Read(leaf.AtomicReader, fields, documents);
            }
        }
    }

    private static void Read(
        AtomicReader segment, IReadOnlyList<IndexField> fields, SortedDictionary<string, List<string>> documents)
    {
        List<string>[] terms = [.. Enumerable.Range(0, segment.MaxDoc).Select(_ => new List<string>())];
        foreach (IndexField field in fields.Skip(1))
        {
            ReadField(segment, field, terms);
        }

        SortedDocValues ids = segment.GetSortedDocValues(LuceneNames.Id);
        BinaryDocValues? stored = segment.GetBinaryDocValues(LuceneNames.Stored);
        BytesRef bytes = new();
        for (int entry = 0; entry < segment.MaxDoc; entry++)
        {
            if (segment.LiveDocs?.Get(entry) == false)
            {
                continue;
            }

            terms[entry].Sort(StringComparer.Ordinal);
            ids.Get(entry, bytes);
            string id = Encoding.UTF8.GetString(bytes.AsSpan()[1..]);
            bytes.Length = 0;
            stored?.Get(entry, bytes);
            if (!documents.TryGetValue(id, out List<string>? entries))
            {
                documents[id] = entries = [];
            }

            entries.Add(string.Join(' ', terms[entry])
                + (bytes.Length > 0 ? " #" + Convert.ToHexString(bytes.AsSpan()) : ""));
        }
    }

    private static void ReadField(AtomicReader segment, IndexField field, List<string>[] terms)
    {
        if (segment.GetTerms(LuceneNames.Of(field)) is not { } all)
        {
            return;
        }

        TermsEnum cursor = all.GetEnumerator();
        while (cursor.MoveNext())
        {
            string text = $"{field.Name}={IndexDump.TermText(cursor.Term.AsSpan())}";
            if (field.Kind == FieldKind.FullText)
            {
                AddPlaces(cursor, text, terms);
                continue;
            }

            SortedSetDocValues column = segment.GetSortedSetDocValues(LuceneNames.Of(field));
            long ordinal = column.LookupTerm(cursor.Term);
            DocsEnum docs = cursor.Docs(null, null);
            for (int entry = docs.NextDoc(); entry != DocIdSetIterator.NO_MORE_DOCS; entry = docs.NextDoc())
            {
                terms[entry].Add(text);
                column.SetDocument(entry);
                long found = column.NextOrd();
                while (found != ordinal && found != SortedSetDocValues.NO_MORE_ORDS)
                {
                    found = column.NextOrd();
                }

                Assert.True(found == ordinal && ordinal >= 0, "the column does not say what the postings say");
            }
        }
    }

    private static void AddPlaces(TermsEnum cursor, string text, List<string>[] terms)
    {
        DocsAndPositionsEnum docs = cursor.DocsAndPositions(null, null);
        for (int entry = docs.NextDoc(); entry != DocIdSetIterator.NO_MORE_DOCS; entry = docs.NextDoc())
        {
            IEnumerable<int> places = [.. Enumerable.Range(0, docs.Freq).Select(_ => docs.NextPosition())];
            terms[entry].Add($"{text}@{string.Join(',', places)}");
        }
    }
}
