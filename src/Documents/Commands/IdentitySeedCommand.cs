using Raven.Blittable.Contexts;


namespace Raven.Documents.Commands;

/// <summary>Sets an identity to a value, from which the next one goes on.</summary>
public sealed class IdentitySeedCommand : IdentityCommand
{
    /// <summary>The largest seed, so that no identity can overflow.</summary>
    private const long SeedMax = long.MaxValue / 4;

    private long _wanted;
    private bool _isForced;

    /// <summary>Sets up the next use of the command.</summary>
    /// <param name="context">Must stay with the operation until the result was read.</param>
    /// <param name="name">The identity, such as <c>users|</c>, UTF-8; the bar may be left out.</param>
    /// <param name="value">The value, from 0 to a quarter of what 64 bits hold.</param>
    /// <param name="isForced">Set it even if the identity is beyond that value.</param>
    /// <returns>False if it cannot be: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryReset(OperationContext context, ReadOnlySpan<byte> name, long value, bool isForced)
    {
        _wanted = value;
        _isForced = isForced;
        if (!TryReset(context, name))
        {
            return false;
        }

        if (value is < 0 or > SeedMax)
        {
            Failure = new CommandFailure { Kind = CommandFailureKind.OutOfRange, Id = Name };
            return false;
        }

        return true;
    }

    private protected override void Execute(DocumentWriter writer)
    {
        Value = writer.Tables.Identity(Key.Span);
        if (_isForced || _wanted > Value)
        {
            writer.Tables.SetIdentity(Key.Span, _wanted);
            Value = _wanted;
        }
    }
}
