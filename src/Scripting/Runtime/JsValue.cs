using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Raven.Scripting.Runtime;

/// <summary>
/// A JavaScript value in 16 bytes: a reference and a double. Without a reference it is the number, so that arithmetic
/// allocates nothing and tests one word; a stored number that no double holds has its digits as the reference. Objects
/// belong to the run that made them and must not outlive it.
/// </summary>
public readonly struct JsValue : IEquatable<JsValue>
{
    private readonly HeapValue? _cell;
    private readonly double _number;

    /// <summary>A number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public JsValue(double number)
    {
        _cell = null;
        _number = number;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal JsValue(HeapValue cell)
    {
        _cell = cell;
        _number = 0;
    }

    /// <summary>A number that has more digits than its double.</summary>
    internal JsValue(HeapValue digits, double number)
    {
        _cell = digits;
        _number = number;
    }

    /// <summary>Text.</summary>
    public JsValue(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        _cell = JsString.Of(text);
        _number = 0;
    }

    /// <summary>undefined.</summary>
    public static JsValue Undefined
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(ValueTag.Undefined);
    }

    /// <summary>null.</summary>
    public static JsValue Null
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(ValueTag.Null);
    }

    /// <summary>true.</summary>
    public static JsValue True
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(ValueTag.True);
    }

    /// <summary>false.</summary>
    public static JsValue False
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(ValueTag.False);
    }

    internal static JsValue Empty
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(ValueTag.Empty);
    }

    internal static JsValue NaN => new(double.NaN);

    /// <summary>What kind of value it is.</summary>
    public ValueKind Kind => _cell is null ? ValueKind.Number : _cell.Kind;

    /// <summary>The number; meaningless for other kinds.</summary>
    public double Number
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _number;
    }

    internal HeapValue? Cell
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _cell;
    }

    /// <summary>Whether it is a number.</summary>
    public bool IsNumber
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _cell is null || _cell.Kind == ValueKind.Number;
    }

    /// <summary>Whether it is undefined.</summary>
    public bool IsUndefined
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ReferenceEquals(_cell, ValueTag.Undefined);
    }

    /// <summary>Whether it is null.</summary>
    public bool IsNull => ReferenceEquals(_cell, ValueTag.Null);

    /// <summary>Whether it is null or undefined.</summary>
    public bool IsNullish
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ReferenceEquals(_cell, ValueTag.Undefined) || ReferenceEquals(_cell, ValueTag.Null);
    }

    /// <summary>Whether it is text.</summary>
    public bool IsString => _cell is not null && _cell.Kind == ValueKind.String;

    /// <summary>Whether it is an object, an array or a function.</summary>
    public bool IsObject
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _cell is not null && _cell.Kind == ValueKind.Object;
    }

    /// <summary>Whether it is the value true.</summary>
    public bool IsTrue
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ReferenceEquals(_cell, ValueTag.True);
    }

    /// <summary>Whether it is true or false.</summary>
    public bool IsBoolean => _cell is not null && _cell.Kind == ValueKind.Boolean;

    internal bool IsSymbol => _cell is not null && _cell.Kind == ValueKind.Symbol;

    internal bool IsBigInt => _cell is not null && _cell.Kind == ValueKind.BigInt;

    internal bool IsEmpty
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ReferenceEquals(_cell, ValueTag.Empty);
    }

    internal bool IsAccessor
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _cell is not null && _cell.Kind == ValueKind.Accessor;
    }

    /// <summary>The object, without a check: test <see cref="IsObject"/> first.</summary>
    internal JsObject Object
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Unsafe.As<JsObject>(_cell!);
    }

    /// <summary>The string, without a check: test <see cref="IsString"/> first.</summary>
    internal JsString String
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Unsafe.As<JsString>(_cell!);
    }

    internal JsObject? AsObject => IsObject ? Object : null;

    internal JsFunction? AsFunction => _cell as JsFunction;

    /// <summary>The text of a string value; null for other kinds.</summary>
    public string? Text => IsString ? String.Flat : null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static JsValue Of(bool value) => new(value ? ValueTag.True : ValueTag.False);

    internal static JsValue Of(string value) => new(JsString.Of(value));

    /// <summary>Whether both are the same value by <c>===</c>.</summary>
    public bool Equals(JsValue other) => Operations.StrictEquals(this, other);

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is JsValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _cell switch
    {
        null or { Kind: ValueKind.Number } => _number == 0 ? 0 : _number.GetHashCode(),
        JsString text => string.GetHashCode(text.Flat, StringComparison.Ordinal),
        JsBigInt big => big.Value.GetHashCode(),
        _ => RuntimeHelpers.GetHashCode(_cell),
    };

    /// <summary>Compares as <c>===</c> does.</summary>
    public static bool operator ==(JsValue left, JsValue right) => left.Equals(right);

    /// <summary>Compares as <c>!==</c> does.</summary>
    public static bool operator !=(JsValue left, JsValue right) => !left.Equals(right);
}
