using Raven.Blittable.Contexts;


namespace Raven.Documents.Commands;

/// <summary>
/// Takes back the numbers of a range that a client did not use. They can be reserved again only while no other range
/// was reserved behind it; else they stay unused, which does no harm.
/// </summary>
public sealed class HiLoReturnCommand : HiLoCommand
{
    private long _last;
    private long _end;

    /// <summary>Sets up the next use of the command.</summary>
    /// <param name="context">Must stay with the operation until its end.</param>
    /// <param name="tag">What the numbers are for, such as <c>users</c>, UTF-8.</param>
    /// <param name="last">The last number that was used.</param>
    /// <param name="end">The last number of the range.</param>
    /// <returns>False if it cannot be: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryReset(OperationContext context, ReadOnlySpan<byte> tag, long last, long end)
    {
        _last = last;
        _end = end;
        return TryReset(context, tag);
    }

    private protected override void Execute(DocumentWriter writer)
    {
        if (_last < 0 || _last > _end)
        {
            FailOutOfRange();
        }
        else if (_last < _end && ReadMax(writer) == _end)
        {
            WriteMax(writer, _last);
        }
    }
}
