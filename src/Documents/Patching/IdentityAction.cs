using Raven.Blittable.Memory;
using Raven.Documents.Commands;

namespace Raven.Documents.Patching;

/// <summary>Sets an identity to the value that a script took; the script's read of it is checked before.</summary>
internal sealed class IdentityAction(NativeSlice key, long value) : BatchAction
{
    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation) =>
        writer.SetIdentity(key.Span, value);

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
    }
}
