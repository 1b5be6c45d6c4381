using System.Security.Cryptography;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Commands;

/// <summary>Takes the next value of an identity, one whose id no document has.</summary>
public sealed class IdentityNextCommand : IdentityCommand
{
    private NativeSlice _idBuffer;
    private NativeSlice _keyBuffer;
    private NativeSlice _request;

    /// <summary>Sets up the next use of the command.</summary>
    /// <param name="context">Must stay with the operation until the result was read.</param>
    /// <param name="name">The identity, such as <c>users|</c>, UTF-8; the bar may be left out.</param>
    /// <param name="requestId">The id of the request, if its sender has given it one: the same request gets the same
    /// value for some minutes.</param>
    /// <returns>False if it cannot be: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryReset(OperationContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> requestId = default)
    {
        _request = default;
        if (!base.TryReset(context, name))
        {
            return false;
        }

        _idBuffer = Arena.Allocate(Name.Length + ServerMadeId.CompletionSizeBytesMax);
        _keyBuffer = Arena.Allocate(Key.Length + ServerMadeId.CompletionSizeBytesMax);
        if (!requestId.IsEmpty)
        {
            _request = Arena.Allocate(SHA256.HashSizeInBytes);
            RememberedRequests.Hash(requestId, Key.Span, _request.WritableSpan);
        }

        return true;
    }

    private protected override void Execute(DocumentWriter writer)
    {
        if (!_request.IsEmpty
            && RememberedRequests.TryGet(writer.Tables.Transaction, _request.Span, writer.Now, out long known))
        {
            Value = known;
            return;
        }

        Value = writer.Ids.NextIdentity(
            Name.Span, Key.Span, _idBuffer.WritableSpan, _keyBuffer.WritableSpan, out _, out _, named: null);
        if (!_request.IsEmpty)
        {
            RememberedRequests.Add(writer.Tables.Transaction, _request.Span, writer.Now, Value);
        }
    }
}
