using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;
using Lucene.Net.Util;
using OfAttribute = Lucene.Net.Util.Attribute;

namespace Raven.Search.Lucene.Engine.Fields;

/// <summary>Gives Lucene the terms of one field of an entry, as bytes. One for all fields, used in turn.</summary>
internal sealed class TermStream : TokenStream
{
    private readonly TermBytes _bytes = new();
    private readonly IPositionIncrementAttribute _increment;
    private EntryTerms? _terms;
    private int _next;
    private int _position;

    internal TermStream()
    {
        AddAttributeImpl(_bytes);
        _increment = AddAttribute<IPositionIncrementAttribute>();
    }

    /// <summary>Sets the terms that come next.</summary>
    internal void Begin(EntryTerms terms) => _terms = terms;

    /// <inheritdoc/>
    public override void Reset()
    {
        _next = 0;
        _position = -1;
    }

    /// <inheritdoc/>
    public override bool IncrementToken()
    {
        if (_next == _terms!.Count)
        {
            return false;
        }

        ref readonly EntryTerm term = ref _terms[_next++];
        _bytes.Set(_terms.Bytes, term.Start, term.Length);
        _increment.PositionIncrement = term.Position - _position;
        _position = term.Position;
        return true;
    }

    /// <inheritdoc/>
    public override void End() => _increment.PositionIncrement = 0;

    /// <inheritdoc/>
    /// <remarks>It is used again for the next field: there is nothing to give back.</remarks>
    protected override void Dispose(bool disposing) => base.Dispose(disposing);

    /// <summary>The term that the stream is at.</summary>
    private sealed class TermBytes : OfAttribute, ITermToBytesRefAttribute
    {
        /// <inheritdoc/>
        public BytesRef BytesRef { get; } = new();

        internal void Set(byte[] bytes, int start, int length)
        {
            BytesRef.Bytes = bytes;
            BytesRef.Offset = start;
            BytesRef.Length = length;
        }

        /// <inheritdoc/>
        public void FillBytesRef()
        {
        }

        /// <inheritdoc/>
        public override void Clear() => BytesRef.Length = 0;

        /// <inheritdoc/>
        public override void CopyTo(IAttribute target) =>
            ((TermBytes)target).Set(BytesRef.Bytes, BytesRef.Offset, BytesRef.Length);
    }
}
