using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;

namespace Raven.Documents.Commands;

/// <summary>Takes the next value of an identity, one whose id no document has.</summary>
public sealed class IdentityNextCommand : IdentityCommand
{
    private NativeSlice _idBuffer;
    private NativeSlice _keyBuffer;

    /// <summary>Sets up the next use of the command.</summary>
    /// <param name="context">Must stay with the operation until the result was read.</param>
    /// <param name="name">The identity, such as <c>users|</c>, UTF-8; the bar may be left out.</param>
    /// <returns>False if it cannot be: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public new bool TryReset(OperationContext context, ReadOnlySpan<byte> name)
    {
        if (!base.TryReset(context, name))
        {
            return false;
        }

        _idBuffer = Arena.Allocate(Name.Length + ServerMadeId.CompletionSizeBytesMax);
        _keyBuffer = Arena.Allocate(Key.Length + ServerMadeId.CompletionSizeBytesMax);
        return true;
    }

    private protected override void Execute(DocumentWriter writer)
    {
        Value = writer.Ids.NextIdentity(
            Name.Span, Key.Span, _idBuffer.WritableSpan, _keyBuffer.WritableSpan, out _, out _, named: null);
    }
}
