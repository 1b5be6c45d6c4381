using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;

namespace Raven.Documents.Commands;

/// <summary>What the two identity commands share: the name, which always ends with its bar.</summary>
public abstract class IdentityCommand : DocumentCommand
{
    private protected IdentityCommand()
    {
    }

    /// <summary>The value that the identity has now.</summary>
    public long Value { get; private protected set; }

    private protected NativeSlice Name { get; private set; }

    private protected NativeSlice Key { get; private set; }

    private protected Arena Arena { get; private set; } = null!;

    /// <summary>Takes the name, and adds a bar if it has none.</summary>
    private protected bool TryReset(OperationContext context, ReadOnlySpan<byte> name)
    {
        Failure = default;
        Value = 0;
        Arena = context.Arena;
        bool hasBar = !name.IsEmpty && name[^1] == (byte)'|';
        NativeSlice whole = Arena.Allocate(name.Length + (hasBar ? 0 : 1));
        name.CopyTo(whole.WritableSpan);
        whole.WritableSpan[^1] = (byte)'|';
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentIdError error = new(DocumentIdProblem.Empty, 0);
        if (name.IsEmpty || !DocumentId.TryFold(whole.Span, key, out int length, out error))
        {
            Failure = new CommandFailure { Kind = CommandFailureKind.BadId, Id = whole, IdError = error };
            return false;
        }

        Name = whole;
        Key = Arena.Allocate(length);
        key[..length].CopyTo(Key.WritableSpan);
        return true;
    }
}
