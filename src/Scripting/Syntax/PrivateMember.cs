namespace Raven.Scripting.Syntax;

internal enum PrivateKind : byte
{
    Field, Method, Accessor,
}

/// <summary>
/// One private name of a class: a name of the scope of the class, whose value is the name of this evaluation.
/// </summary>
internal sealed class PrivateMember(Binding binding, PrivateKind kind, bool isStatic, FunctionKind declared)
{
    private FunctionKind _declared = declared;

    internal Binding Binding => binding;

    internal PrivateKind Kind => kind;

    internal bool Static => isStatic;

    /// <summary>Declares the other half of an accessor. False if this is not one that may follow.</summary>
    internal bool TryComplete(FunctionKind other, bool otherIsStatic)
    {
        bool completes = kind == PrivateKind.Accessor && isStatic == otherIsStatic
            && (_declared, other) is (FunctionKind.Getter, FunctionKind.Setter)
                or (FunctionKind.Setter, FunctionKind.Getter);
        _declared = FunctionKind.Method;
        return completes;
    }
}
