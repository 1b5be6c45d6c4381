using System.Reflection;
using System.Reflection.Emit;

namespace FastTests.Client;

/// <summary>
/// Which methods of an assembly the compiled code of some types names: those it calls, constructs by, takes the address
/// of, or refers to in expression trees. A name alone proves nothing; a token of the metadata says which type's member
/// and which overload it is. (ECMA-335, partition III: an opcode of one or two bytes, then its operand.)
/// </summary>
internal static class CalledMembers
{
    private static readonly OpCode[] Short = new OpCode[256];
    private static readonly OpCode[] Long = new OpCode[256];

    static CalledMembers()
    {
        foreach (FieldInfo field in typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static))
        {
            var code = (OpCode)field.GetValue(null)!;
            (code.Size == 1 ? Short : Long)[(byte)code.Value] = code;
        }
    }

    /// <summary>The tokens of the methods of a module that some types name.</summary>
    internal static HashSet<int> Of(Module module, IEnumerable<Type> callers)
    {
        HashSet<int> tokens = [];
        foreach (MemberInfo called in callers.SelectMany(NamedBy))
        {
            if (called is MethodBase && called.Module == module)
            {
                tokens.Add(called.MetadataToken);
            }
        }

        return tokens;
    }

    /// <summary>The methods, fields and types that the code of a type names; those of nested types are not its
    /// own.</summary>
    internal static IEnumerable<MemberInfo> NamedBy(Type type)
    {
        const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance
            | BindingFlags.Static | BindingFlags.DeclaredOnly;
        return type.GetMethods(All).Cast<MethodBase>().Concat(type.GetConstructors(All)).SelectMany(NamedBy);
    }

    private static IEnumerable<MemberInfo> NamedBy(MethodBase method)
    {
        byte[]? code = method.GetMethodBody()?.GetILAsByteArray();
        Type[] ofType = method.DeclaringType!.GetGenericArguments();
        Type[] ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : [];
        for (int i = 0; i < code?.Length;)
        {
            OpCode opcode = code[i] == 0xFE ? Long[code[++i]] : Short[code[i]];
            i++;
            if (opcode.OperandType is OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineField
                or OperandType.InlineType
                && method.Module.ResolveMember(BitConverter.ToInt32(code, i), ofType, ofMethod) is { } named)
            {
                yield return named;
            }

            i += OperandSizeBytes(opcode, code, i);
        }
    }

    private static int OperandSizeBytes(OpCode opcode, byte[] code, int at) => opcode.OperandType switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, at)),
        _ => 4,
    };
}
