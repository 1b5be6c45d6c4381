using Lucene.Net.Index;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>
/// The lengths of the texts of a field in a segment, of which scores need that of each entry that is found: a byte
/// each, in memory, as Lucene has its norms. With deleted entries.
/// </summary>
/// <param name="Codes">The code of each entry's length; none if the segment has no such field.</param>
/// <param name="Words">The words of all texts.</param>
/// <param name="Entries">How many entries have a text.</param>
internal sealed record TextLengths(byte[] Codes, long Words, long Entries)
{
    private static readonly TextLengths None = new([], 0, 0);

    /// <summary>Reads them from the column of the segment.</summary>
    internal static TextLengths Read(AtomicReader segment, string column)
    {
        if (segment.GetNumericDocValues(column) is not { } values || segment.GetDocsWithField(column) is not { } has)
        {
            return None;
        }

        byte[] codes = new byte[segment.MaxDoc];
        (long words, long entries) = (0, 0);
        for (int entry = 0; entry < codes.Length; entry++)
        {
            long length = values.Get(entry);
            codes[entry] = NormCode.Encode((int)length);
            words += length;
            entries += has.Get(entry) ? 1 : 0;
        }

        return new TextLengths(codes, words, entries);
    }
}
