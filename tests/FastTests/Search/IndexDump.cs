using System.Globalization;
using Raven.Search;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Searchers;
using Raven.Search.Segments;

namespace FastTests.Search;

/// <summary>
/// All that an index holds, as text: for each document its entries, each entry its terms with their positions. Terms
/// are read through the postings; columns must say the same.
/// </summary>
internal static class IndexDump
{
    internal static SortedDictionary<string, List<string>> Read(IndexReader reader)
    {
        SortedDictionary<string, List<string>> documents = new(StringComparer.Ordinal);
        if (reader is ILuceneSnapshot lucene)
        {
            LuceneDump.Read(lucene, reader.Catalog.Fields, documents);
        }

        for (int i = 0; i < ((reader as SegmentsReader)?.Segments.Count ?? 0); i++)
        {
            ReadSegment(reader, ((SegmentsReader)reader).Segments[i], documents);
        }

        foreach (List<string> entries in documents.Values)
        {
            entries.Sort(StringComparer.Ordinal);
        }

        return documents;
    }

    internal static string Text(IndexReader reader) => string.Join(
        '\n', Read(reader).Select(document => $"{document.Key}: {string.Join(" | ", document.Value)}"));

    /// <summary>How a term looks in a dump.</summary>
    internal static string TermText(ReadOnlySpan<byte> term) => term[0] switch
    {
        TermCode.Null => "null",
        TermCode.False => "false",
        TermCode.True => "true",
        TermCode.Number => TermCode.TryReadInt64(term, out long integer)
            ? integer.ToString(CultureInfo.InvariantCulture)
            : TermCode.ReadDouble(term).ToString("R", CultureInfo.InvariantCulture),
        _ => "'" + System.Text.Encoding.UTF8.GetString(term[1..]) + "'",
    };

    private static void ReadSegment(
        IndexReader reader, SegmentReader segment, SortedDictionary<string, List<string>> documents)
    {
        var terms = new List<string>[segment.EntryCount];
        var ids = new string[segment.EntryCount];
        for (int entry = 0; entry < terms.Length; entry++)
        {
            terms[entry] = [];
        }

        foreach (IndexField field in reader.Catalog.Fields)
        {
            if (segment.TryGetField(field.Number) is { } values)
            {
                ReadField(field, values, terms, ids);
            }
        }

        for (int entry = 0; entry < terms.Length; entry++)
        {
            if (!segment.IsDeleted(entry))
            {
                terms[entry].Sort(StringComparer.Ordinal);
                string stored = Convert.ToHexString(segment.StoredBytes(entry).Span);
                if (!documents.TryGetValue(ids[entry], out List<string>? entries))
                {
                    documents[ids[entry]] = entries = [];
                }

                entries.Add(string.Join(' ', terms[entry]) + (stored.Length > 0 ? " #" + stored : ""));
            }
        }
    }

    private static void ReadField(IndexField field, FieldReader values, List<string>[] terms, string[] ids)
    {
        TermCursor cursor = new();
        PostingCursor postings = new();
        cursor.Open(values);
        byte[] before = [];
        int withField = 0;
        while (cursor.MoveNext())
        {
            Assert.True(cursor.Term.SequenceCompareTo(before) > 0, "terms out of order");
            before = cursor.Term.ToArray();
            Assert.Equal(cursor.Ordinal, values.Find(before));
            postings.Open(values, cursor.Ordinal);
            int seen = 0;
            for (int block = 0; block < postings.BlockCount; block++)
            {
                postings.Read(block);
                int at = values.HasWords ? postings.PositionsOfBlock() : 0;
                for (int i = 0; i < postings.Entries.Length; i++, seen++)
                {
                    int entry = postings.Entries[i];
                    string positions = values.HasWords
                        ? "@" + ReadPositions(values, postings.Frequencies[i], ref at)
                        : "";
                    if (field.Number == IndexNames.IdField)
                    {
                        ids[entry] = System.Text.Encoding.UTF8.GetString(before.AsSpan(1));
                    }
                    else
                    {
                        terms[entry].Add($"{field.Name}={TermText(before)}{positions}");
                    }

                    CheckColumn(values, entry, cursor.Ordinal);
                }
            }

            Assert.Equal(postings.Count, seen);
        }

        for (int entry = 0; entry < values.EntryCount; entry++)
        {
            bool has = values.HasWords ? values.Norms[entry] > 0 : values.FirstOrdinal(entry) >= 0;
            withField += has ? 1 : 0;
        }

        Assert.Equal(values.EntriesWithField, withField);
    }

    private static string ReadPositions(FieldReader values, int frequency, ref int at)
    {
        List<int> positions = [];
        int last = 0;
        for (int i = 0; i < frequency; i++)
        {
            last += (int)ByteBuffer.ReadVariable(values.Positions, ref at);
            positions.Add(last);
        }

        return string.Join(',', positions);
    }

    private static void CheckColumn(FieldReader values, int entry, int ordinal)
    {
        if (!values.HasWords)
        {
            bool isThere = values.HasManyValues
                ? values.OrdinalsOf(entry).Contains(ordinal)
                : values.SingleOrdinal(entry) == ordinal;
            Assert.True(isThere, "the column does not say what the postings say");
        }
    }
}
