; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources b14a263bc9d86f92cd112709fb8872b6947dd1d49c6edd67031d1418c19a34d1

define void @cholesky_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <8 x float>], align 32
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %17

13:
  %14 = icmp sgt i64 %11, 0
  %15 = mul i64 %11, %11
  %16 = sub i64 %2, %1
  br label %18

17:
  ret void

18:
  %19 = phi i64 [ %16, %13 ], [ %118, %115 ]
  %20 = phi i64 [ %1, %13 ], [ %116, %115 ]
  %21 = tail call i64 @llvm.smax.i64(i64 %19, i64 1)
  %22 = tail call i64 @llvm.umin.i64(i64 %21, i64 8)
  %23 = sub i64 %2, %20
  br i1 %14, label %24, label %57

24:
  %25 = tail call i64 @llvm.smin.i64(i64 %23, i64 8)
  %26 = add i64 %25, -1
  br label %27

27:
  %28 = phi i64 [ 1, %24 ], [ %38, %36 ]
  %29 = phi i64 [ 0, %24 ], [ %37, %36 ]
  %30 = mul i64 %29, %11
  %31 = getelementptr inbounds <8 x float>, ptr %5, i64 %30
  br label %32

32:
  %33 = phi i64 [ 0, %27 ], [ %41, %40 ]
  %34 = getelementptr float, ptr %7, i64 %33
  %35 = getelementptr inbounds nuw <8 x float>, ptr %31, i64 %33
  br label %43

36:
  %37 = add nuw nsw i64 %29, 1
  %38 = add nuw i64 %28, 1
  %39 = icmp eq i64 %37, %11
  br i1 %39, label %60, label %27

40:
  %41 = add nuw nsw i64 %33, 1
  %42 = icmp eq i64 %41, %28
  br i1 %42, label %36, label %32

43:
  %44 = phi i64 [ 0, %32 ], [ %53, %43 ]
  %45 = tail call i64 @llvm.smin.i64(i64 %44, i64 %26)
  %46 = add i64 %45, %20
  %47 = mul i64 %46, %11
  %48 = add i64 %47, %29
  %49 = mul i64 %48, %11
  %50 = getelementptr float, ptr %34, i64 %49
  %51 = load float, ptr %50, align 4
  %52 = getelementptr inbounds nuw float, ptr %35, i64 %44
  store float %51, ptr %52, align 4
  %53 = add nuw nsw i64 %44, 1
  %54 = icmp eq i64 %53, 8
  br i1 %54, label %40, label %43

55:
  %56 = icmp eq i64 %81, %11
  br i1 %56, label %57, label %60

57:
  %58 = phi <8 x float> [ zeroinitializer, %18 ], [ %90, %55 ]
  %59 = icmp sgt i64 %23, 0
  br i1 %59, label %119, label %115

60:
  %61 = phi i64 [ %81, %55 ], [ 0, %36 ]
  %62 = phi <8 x float> [ %90, %55 ], [ zeroinitializer, %36 ]
  %63 = mul i64 %61, %11
  %64 = getelementptr <8 x float>, ptr %5, i64 %63
  %65 = getelementptr <8 x float>, ptr %64, i64 %61
  %66 = load <8 x float>, ptr %65, align 32
  %67 = icmp eq i64 %61, 0
  br i1 %67, label %68, label %70

68:
  %69 = phi <8 x float> [ %66, %60 ], [ %76, %70 ]
  br label %83

70:
  %71 = phi i64 [ %77, %70 ], [ 0, %60 ]
  %72 = phi <8 x float> [ %76, %70 ], [ %66, %60 ]
  %73 = getelementptr <8 x float>, ptr %64, i64 %71
  %74 = load <8 x float>, ptr %73, align 32
  %75 = fneg <8 x float> %74
  %76 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %75, <8 x float> %74, <8 x float> %72)
  %77 = add nuw nsw i64 %71, 1
  %78 = icmp eq i64 %77, %61
  br i1 %78, label %68, label %70

79:
  %80 = tail call <8 x float> @llvm.sqrt.v8f32(<8 x float> %69)
  store <8 x float> %80, ptr %65, align 32
  %81 = add nuw nsw i64 %61, 1
  %82 = icmp slt i64 %81, %11
  br i1 %82, label %93, label %55

83:
  %84 = phi i64 [ 0, %68 ], [ %91, %83 ]
  %85 = phi <8 x float> [ %62, %68 ], [ %90, %83 ]
  %86 = extractelement <8 x float> %69, i64 %84
  %87 = tail call i1 @llvm.is.fpclass.f32(float %86, i32 639)
  %88 = extractelement <8 x float> %85, i64 %84
  %89 = select i1 %87, float 0x7FF8000000000000, float %88
  %90 = insertelement <8 x float> %85, float %89, i64 %84
  %91 = add nuw nsw i64 %84, 1
  %92 = icmp eq i64 %91, 8
  br i1 %92, label %79, label %83

93:
  %94 = phi i64 [ %102, %99 ], [ %81, %79 ]
  %95 = mul i64 %94, %11
  %96 = getelementptr <8 x float>, ptr %5, i64 %95
  %97 = getelementptr <8 x float>, ptr %96, i64 %61
  %98 = load <8 x float>, ptr %97, align 32
  br i1 %67, label %99, label %104

99:
  %100 = phi <8 x float> [ %98, %93 ], [ %112, %104 ]
  %101 = fdiv <8 x float> %100, %80
  store <8 x float> %101, ptr %97, align 32
  %102 = add nuw nsw i64 %94, 1
  %103 = icmp eq i64 %102, %11
  br i1 %103, label %55, label %93

104:
  %105 = phi i64 [ %113, %104 ], [ 0, %93 ]
  %106 = phi <8 x float> [ %112, %104 ], [ %98, %93 ]
  %107 = getelementptr <8 x float>, ptr %96, i64 %105
  %108 = load <8 x float>, ptr %107, align 32
  %109 = getelementptr <8 x float>, ptr %64, i64 %105
  %110 = load <8 x float>, ptr %109, align 32
  %111 = fneg <8 x float> %108
  %112 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %111, <8 x float> %110, <8 x float> %106)
  %113 = add nuw nsw i64 %105, 1
  %114 = icmp eq i64 %113, %61
  br i1 %114, label %99, label %104

115:
  %116 = add i64 %20, 8
  %117 = icmp slt i64 %116, %2
  %118 = add i64 %19, -8
  br i1 %117, label %18, label %17

119:
  %120 = phi i64 [ %133, %132 ], [ 0, %57 ]
  %121 = add i64 %120, %20
  %122 = mul i64 %15, %121
  %123 = getelementptr inbounds float, ptr %9, i64 %122
  %124 = getelementptr float, ptr %5, i64 %120
  br i1 %14, label %125, label %132

125:
  %126 = extractelement <8 x float> %58, i64 %120
  br label %127

127:
  %128 = phi i64 [ 0, %125 ], [ %136, %135 ]
  %129 = mul i64 %128, %11
  %130 = getelementptr <8 x float>, ptr %124, i64 %129
  %131 = getelementptr float, ptr %123, i64 %129
  br label %138

132:
  %133 = add nuw nsw i64 %120, 1
  %134 = icmp eq i64 %133, %22
  br i1 %134, label %115, label %119

135:
  %136 = add nuw nsw i64 %128, 1
  %137 = icmp eq i64 %136, %11
  br i1 %137, label %132, label %127

138:
  %139 = phi i64 [ 0, %127 ], [ %148, %144 ]
  %140 = icmp samesign ugt i64 %139, %128
  br i1 %140, label %144, label %141

141:
  %142 = getelementptr <8 x float>, ptr %130, i64 %139
  %143 = load float, ptr %142, align 4
  br label %144

144:
  %145 = phi float [ %143, %141 ], [ 0.000000e+00, %138 ]
  %146 = fadd float %126, %145
  %147 = getelementptr float, ptr %131, i64 %139
  store float %146, ptr %147, align 4
  %148 = add nuw nsw i64 %139, 1
  %149 = icmp eq i64 %148, %11
  br i1 %149, label %135, label %138
}

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)

define void @triangular_solve_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <8 x float>], align 32
  %6 = alloca [32 x <8 x float>], align 32
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %12 = load ptr, ptr %11, align 8
  %13 = load ptr, ptr %0, align 8
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %13, i64 48
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 56
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %13, i64 64
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %13, i64 72
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %13, i64 80
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %1, %2
  br i1 %35, label %36, label %45

36:
  %37 = icmp sgt i64 %14, 0
  %38 = getelementptr float, ptr %8, i64 %32
  %39 = icmp sgt i64 %16, 0
  %40 = getelementptr float, ptr %10, i64 %34
  %41 = icmp eq i64 %18, 0
  %42 = add i64 %14, 1
  %43 = getelementptr float, ptr %12, i64 %34
  %44 = sub i64 %2, %1
  br label %46

45:
  ret void

46:
  %47 = phi i64 [ %44, %36 ], [ %96, %93 ]
  %48 = phi i64 [ %1, %36 ], [ %94, %93 ]
  %49 = tail call i64 @llvm.smax.i64(i64 %47, i64 1)
  %50 = tail call i64 @llvm.umin.i64(i64 %49, i64 8)
  %51 = sub i64 %2, %48
  %52 = tail call i64 @llvm.smin.i64(i64 %51, i64 8)
  br i1 %37, label %53, label %55

53:
  %54 = add i64 %52, -1
  br label %59

55:
  br i1 %39, label %56, label %93

56:
  %57 = add i64 %52, -1
  %58 = icmp sgt i64 %51, 0
  br label %88

59:
  %60 = phi i64 [ 1, %53 ], [ %73, %71 ]
  %61 = phi i64 [ 0, %53 ], [ %72, %71 ]
  %62 = mul i64 %61, %20
  %63 = getelementptr float, ptr %38, i64 %62
  %64 = mul i64 %61, %14
  %65 = getelementptr inbounds <8 x float>, ptr %5, i64 %64
  br label %66

66:
  %67 = phi i64 [ 0, %59 ], [ %76, %75 ]
  %68 = mul i64 %67, %22
  %69 = getelementptr float, ptr %63, i64 %68
  %70 = getelementptr inbounds nuw <8 x float>, ptr %65, i64 %67
  br label %78

71:
  %72 = add nuw nsw i64 %61, 1
  %73 = add nuw i64 %60, 1
  %74 = icmp eq i64 %72, %14
  br i1 %74, label %55, label %59

75:
  %76 = add nuw nsw i64 %67, 1
  %77 = icmp eq i64 %76, %60
  br i1 %77, label %71, label %66

78:
  %79 = phi i64 [ 0, %66 ], [ %86, %78 ]
  %80 = tail call i64 @llvm.smin.i64(i64 %79, i64 %54)
  %81 = add i64 %80, %48
  %82 = mul i64 %81, %28
  %83 = getelementptr float, ptr %69, i64 %82
  %84 = load float, ptr %83, align 4
  %85 = getelementptr inbounds nuw float, ptr %70, i64 %79
  store float %84, ptr %85, align 4
  %86 = add nuw nsw i64 %79, 1
  %87 = icmp eq i64 %86, 8
  br i1 %87, label %75, label %78

88:
  %89 = phi i64 [ 0, %56 ], [ %152, %151 ]
  br i1 %37, label %90, label %97

90:
  %91 = mul i64 %89, %26
  %92 = getelementptr float, ptr %40, i64 %91
  br label %101

93:
  %94 = add i64 %48, 8
  %95 = icmp slt i64 %94, %2
  %96 = add i64 %47, -8
  br i1 %95, label %46, label %45

97:
  br i1 %58, label %98, label %151

98:
  %99 = mul i64 %89, %26
  %100 = getelementptr float, ptr %43, i64 %99
  br label %144

101:
  %102 = phi i64 [ 0, %90 ], [ %142, %140 ]
  %103 = mul i64 %102, %24
  %104 = getelementptr float, ptr %92, i64 %103
  %105 = getelementptr inbounds nuw <8 x float>, ptr %6, i64 %102
  br label %112

106:
  %107 = load <8 x float>, ptr %105, align 32
  %108 = icmp eq i64 %102, 0
  br i1 %108, label %122, label %109

109:
  %110 = mul i64 %102, %14
  %111 = getelementptr <8 x float>, ptr %5, i64 %110
  br label %124

112:
  %113 = phi i64 [ 0, %101 ], [ %120, %112 ]
  %114 = tail call i64 @llvm.smin.i64(i64 %113, i64 %57)
  %115 = add i64 %114, %48
  %116 = mul i64 %115, %30
  %117 = getelementptr float, ptr %104, i64 %116
  %118 = load float, ptr %117, align 4
  %119 = getelementptr inbounds nuw float, ptr %105, i64 %113
  store float %118, ptr %119, align 4
  %120 = add nuw nsw i64 %113, 1
  %121 = icmp eq i64 %120, 8
  br i1 %121, label %106, label %112

122:
  %123 = phi <8 x float> [ %107, %106 ], [ %132, %124 ]
  br i1 %41, label %135, label %140

124:
  %125 = phi i64 [ 0, %109 ], [ %133, %124 ]
  %126 = phi <8 x float> [ %107, %109 ], [ %132, %124 ]
  %127 = getelementptr <8 x float>, ptr %111, i64 %125
  %128 = load <8 x float>, ptr %127, align 32
  %129 = getelementptr inbounds nuw <8 x float>, ptr %6, i64 %125
  %130 = load <8 x float>, ptr %129, align 32
  %131 = fneg <8 x float> %128
  %132 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %131, <8 x float> %130, <8 x float> %126)
  %133 = add nuw nsw i64 %125, 1
  %134 = icmp eq i64 %133, %102
  br i1 %134, label %122, label %124

135:
  %136 = mul i64 %102, %42
  %137 = getelementptr inbounds <8 x float>, ptr %5, i64 %136
  %138 = load <8 x float>, ptr %137, align 32
  %139 = fdiv <8 x float> %123, %138
  br label %140

140:
  %141 = phi <8 x float> [ %139, %135 ], [ %123, %122 ]
  store <8 x float> %141, ptr %105, align 32
  %142 = add nuw nsw i64 %102, 1
  %143 = icmp eq i64 %142, %14
  br i1 %143, label %97, label %101

144:
  %145 = phi i64 [ 0, %98 ], [ %155, %154 ]
  %146 = getelementptr float, ptr %6, i64 %145
  br i1 %37, label %147, label %154

147:
  %148 = add i64 %145, %48
  %149 = mul i64 %148, %30
  %150 = getelementptr float, ptr %100, i64 %149
  br label %157

151:
  %152 = add nuw nsw i64 %89, 1
  %153 = icmp eq i64 %152, %16
  br i1 %153, label %93, label %88

154:
  %155 = add nuw nsw i64 %145, 1
  %156 = icmp eq i64 %155, %50
  br i1 %156, label %151, label %144

157:
  %158 = phi i64 [ 0, %147 ], [ %163, %157 ]
  %159 = getelementptr <8 x float>, ptr %146, i64 %158
  %160 = load float, ptr %159, align 4
  %161 = mul i64 %158, %24
  %162 = getelementptr float, ptr %150, i64 %161
  store float %160, ptr %162, align 4
  %163 = add nuw nsw i64 %158, 1
  %164 = icmp eq i64 %163, %14
  br i1 %164, label %154, label %157
}

define void @lu_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <8 x float>], align 32
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %13 = load ptr, ptr %12, align 8
  %14 = load ptr, ptr %0, align 8
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %17 = load i64, ptr %16, align 8
  %18 = tail call i64 @llvm.smin.i64(i64 %15, i64 %17)
  %19 = icmp slt i64 %1, %2
  br i1 %19, label %20, label %26

20:
  %21 = mul i64 %17, %15
  %22 = icmp sgt i64 %21, 0
  %23 = icmp sgt i64 %15, 0
  %24 = icmp sgt i64 %18, 0
  %25 = sub i64 %2, %1
  br label %27

26:
  ret void

27:
  %28 = phi i64 [ %25, %20 ], [ %189, %186 ]
  %29 = phi i64 [ %1, %20 ], [ %187, %186 ]
  %30 = tail call i64 @llvm.smax.i64(i64 %28, i64 1)
  %31 = tail call i64 @llvm.umin.i64(i64 %30, i64 8)
  %32 = sub i64 %2, %29
  br i1 %22, label %33, label %36

33:
  %34 = tail call i64 @llvm.smin.i64(i64 %32, i64 8)
  %35 = add i64 %34, -1
  br label %38

36:
  %37 = icmp sgt i64 %32, 0
  br i1 %37, label %56, label %55

38:
  %39 = phi i64 [ 0, %33 ], [ %43, %42 ]
  %40 = getelementptr float, ptr %7, i64 %39
  %41 = getelementptr inbounds nuw <8 x float>, ptr %5, i64 %39
  br label %45

42:
  %43 = add nuw nsw i64 %39, 1
  %44 = icmp eq i64 %43, %21
  br i1 %44, label %36, label %38

45:
  %46 = phi i64 [ 0, %38 ], [ %53, %45 ]
  %47 = tail call i64 @llvm.smin.i64(i64 %46, i64 %35)
  %48 = add i64 %47, %29
  %49 = mul i64 %21, %48
  %50 = getelementptr float, ptr %40, i64 %49
  %51 = load float, ptr %50, align 4
  %52 = getelementptr inbounds nuw float, ptr %41, i64 %46
  store float %51, ptr %52, align 4
  %53 = add nuw nsw i64 %46, 1
  %54 = icmp eq i64 %53, 8
  br i1 %54, label %42, label %45

55:
  br i1 %24, label %74, label %73

56:
  %57 = phi i64 [ %63, %62 ], [ 0, %36 ]
  br i1 %23, label %58, label %62

58:
  %59 = add i64 %57, %29
  %60 = mul i64 %59, %15
  %61 = getelementptr i32, ptr %13, i64 %60
  br label %65

62:
  %63 = add nuw nsw i64 %57, 1
  %64 = icmp eq i64 %63, %31
  br i1 %64, label %55, label %56

65:
  %66 = phi i64 [ 0, %58 ], [ %69, %65 ]
  %67 = trunc i64 %66 to i32
  %68 = getelementptr i32, ptr %61, i64 %66
  store i32 %67, ptr %68, align 4
  %69 = add nuw nsw i64 %66, 1
  %70 = icmp eq i64 %69, %15
  br i1 %70, label %62, label %65

71:
  %72 = icmp eq i64 %145, %18
  br i1 %72, label %73, label %74

73:
  br i1 %37, label %179, label %186

74:
  %75 = phi i64 [ %145, %71 ], [ 0, %55 ]
  %76 = getelementptr i32, ptr %11, i64 %75
  %77 = mul i64 %75, %17
  br i1 %37, label %78, label %84

78:
  %79 = add i64 %77, %75
  %80 = shl i64 %79, 5
  %81 = add nuw nsw i64 %75, 1
  %82 = icmp slt i64 %81, %15
  %83 = trunc i64 %75 to i32
  br label %88

84:
  %85 = getelementptr <8 x float>, ptr %5, i64 %77
  %86 = getelementptr <8 x float>, ptr %85, i64 %75
  %87 = load <8 x float>, ptr %86, align 32
  br label %149

88:
  %89 = phi i64 [ 0, %78 ], [ %142, %141 ]
  %90 = getelementptr inbounds nuw float, ptr %5, i64 %89
  br i1 %82, label %95, label %91

91:
  %92 = add i64 %89, %29
  %93 = mul i64 %92, %18
  %94 = getelementptr i32, ptr %76, i64 %93
  store i32 %83, ptr %94, align 4
  br label %141

95:
  %96 = getelementptr inbounds i8, ptr %90, i64 %80
  %97 = load float, ptr %96, align 4
  %98 = tail call float @llvm.fabs.f32(float %97)
  br label %107

99:
  %100 = trunc i64 %118 to i32
  %101 = add i64 %89, %29
  %102 = mul i64 %101, %18
  %103 = getelementptr i32, ptr %76, i64 %102
  store i32 %100, ptr %103, align 4
  %104 = icmp eq i64 %118, %75
  br i1 %104, label %141, label %105

105:
  %106 = mul i64 %118, %17
  br label %129

107:
  %108 = phi i64 [ %120, %107 ], [ %81, %95 ]
  %109 = phi float [ %119, %107 ], [ %98, %95 ]
  %110 = phi i64 [ %118, %107 ], [ %75, %95 ]
  %111 = mul i64 %108, %17
  %112 = add i64 %111, %75
  %113 = shl i64 %112, 5
  %114 = getelementptr inbounds i8, ptr %90, i64 %113
  %115 = load float, ptr %114, align 4
  %116 = tail call float @llvm.fabs.f32(float %115)
  %117 = fcmp ogt float %116, %109
  %118 = select i1 %117, i64 %108, i64 %110
  %119 = select i1 %117, float %116, float %109
  %120 = add nuw nsw i64 %108, 1
  %121 = icmp eq i64 %120, %15
  br i1 %121, label %99, label %107

122:
  %123 = mul i64 %101, %15
  %124 = getelementptr inbounds i32, ptr %13, i64 %123
  %125 = getelementptr inbounds nuw i32, ptr %124, i64 %75
  %126 = load i32, ptr %125, align 4
  %127 = getelementptr inbounds i32, ptr %124, i64 %118
  %128 = load i32, ptr %127, align 4
  store i32 %128, ptr %125, align 4
  store i32 %126, ptr %127, align 4
  br label %141

129:
  %130 = phi i64 [ 0, %105 ], [ %139, %129 ]
  %131 = add i64 %130, %77
  %132 = shl i64 %131, 5
  %133 = getelementptr inbounds i8, ptr %90, i64 %132
  %134 = load float, ptr %133, align 4
  %135 = add i64 %130, %106
  %136 = shl i64 %135, 5
  %137 = getelementptr inbounds i8, ptr %90, i64 %136
  %138 = load float, ptr %137, align 4
  store float %138, ptr %133, align 4
  store float %134, ptr %137, align 4
  %139 = add nuw nsw i64 %130, 1
  %140 = icmp eq i64 %139, %17
  br i1 %140, label %122, label %129

141:
  %142 = add nuw nsw i64 %89, 1
  %143 = icmp eq i64 %142, %31
  br i1 %143, label %84, label %88

144:
  %145 = add nuw nsw i64 %75, 1
  %146 = icmp slt i64 %145, %15
  br i1 %146, label %147, label %71

147:
  %148 = icmp slt i64 %145, %17
  br label %158

149:
  %150 = phi i64 [ 0, %84 ], [ %156, %149 ]
  %151 = phi <8 x float> [ %87, %84 ], [ %155, %149 ]
  %152 = extractelement <8 x float> %151, i64 %150
  %153 = fcmp oeq float %152, 0.000000e+00
  %154 = select i1 %153, float 1.000000e+00, float %152
  %155 = insertelement <8 x float> %151, float %154, i64 %150
  %156 = add nuw nsw i64 %150, 1
  %157 = icmp eq i64 %156, 8
  br i1 %157, label %144, label %149

158:
  %159 = phi i64 [ %145, %147 ], [ %168, %167 ]
  %160 = mul i64 %159, %17
  %161 = getelementptr <8 x float>, ptr %5, i64 %160
  %162 = getelementptr <8 x float>, ptr %161, i64 %75
  %163 = load <8 x float>, ptr %162, align 32
  %164 = fdiv <8 x float> %163, %155
  store <8 x float> %164, ptr %162, align 32
  br i1 %148, label %165, label %167

165:
  %166 = fneg <8 x float> %164
  br label %170

167:
  %168 = add nuw nsw i64 %159, 1
  %169 = icmp eq i64 %168, %15
  br i1 %169, label %71, label %158

170:
  %171 = phi i64 [ %145, %165 ], [ %177, %170 ]
  %172 = getelementptr <8 x float>, ptr %85, i64 %171
  %173 = load <8 x float>, ptr %172, align 32
  %174 = getelementptr <8 x float>, ptr %161, i64 %171
  %175 = load <8 x float>, ptr %174, align 32
  %176 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %166, <8 x float> %173, <8 x float> %175)
  store <8 x float> %176, ptr %174, align 32
  %177 = add nuw nsw i64 %171, 1
  %178 = icmp eq i64 %177, %17
  br i1 %178, label %167, label %170

179:
  %180 = phi i64 [ %191, %190 ], [ 0, %73 ]
  %181 = getelementptr float, ptr %5, i64 %180
  br i1 %22, label %182, label %190

182:
  %183 = add i64 %180, %29
  %184 = mul i64 %21, %183
  %185 = getelementptr float, ptr %9, i64 %184
  br label %193

186:
  %187 = add i64 %29, 8
  %188 = icmp slt i64 %187, %2
  %189 = add i64 %28, -8
  br i1 %188, label %27, label %26

190:
  %191 = add nuw nsw i64 %180, 1
  %192 = icmp eq i64 %191, %31
  br i1 %192, label %186, label %179

193:
  %194 = phi i64 [ 0, %182 ], [ %198, %193 ]
  %195 = getelementptr <8 x float>, ptr %181, i64 %194
  %196 = load float, ptr %195, align 4
  %197 = getelementptr float, ptr %185, i64 %194
  store float %196, ptr %197, align 4
  %198 = add nuw nsw i64 %194, 1
  %199 = icmp eq i64 %198, %21
  br i1 %199, label %190, label %193
}

declare float @llvm.fabs.f32(float)

define void @eigh_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %10

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %11

10:
  ret void

11:
  %12 = phi i64 [ %1, %6 ], [ %19, %11 ]
  %13 = load ptr, ptr %7, align 8
  %14 = load ptr, ptr %8, align 8
  %15 = load ptr, ptr %9, align 8
  %16 = load ptr, ptr %0, align 8
  %17 = sub i64 %2, %12
  %18 = tail call i64 @llvm.smin.i64(i64 %17, i64 8)
  tail call fastcc void @symmetric_f32(ptr %13, ptr %14, ptr %15, ptr %16, i64 %12, i64 %18)
  %19 = add i64 %12, 8
  %20 = icmp slt i64 %19, %2
  br i1 %20, label %11, label %10
}

define internal fastcc void @symmetric_f32(ptr %0, ptr %1, ptr %2, ptr %3, i64 %4, i64 %5) nounwind {
  %7 = alloca [1024 x <8 x float>], align 32
  %8 = alloca [1024 x <8 x float>], align 32
  %9 = alloca [32 x i64], align 16
  %10 = load i64, ptr %3, align 8
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = icmp eq i64 %12, 0
  %14 = select i1 %13, i64 1, i64 %10
  %15 = select i1 %13, i64 %10, i64 1
  %16 = add i64 %5, -1
  %17 = mul i64 %10, %10
  %18 = icmp slt i64 %17, 1
  %19 = icmp sgt i64 %10, 0
  br label %26

20:
  %21 = icmp eq ptr %2, null
  %22 = or i1 %21, %18
  %23 = select i1 %21, ptr null, ptr %8
  br i1 %22, label %121, label %24

24:
  %25 = add i64 %10, 1
  br label %111

26:
  %27 = phi <8 x float> [ zeroinitializer, %6 ], [ %65, %91 ]
  %28 = phi <8 x float> [ undef, %6 ], [ %67, %91 ]
  %29 = phi i64 [ 0, %6 ], [ %92, %91 ]
  %30 = tail call i64 @llvm.smin.i64(i64 %29, i64 %16)
  %31 = add i64 %30, %4
  %32 = mul i64 %17, %31
  %33 = getelementptr inbounds float, ptr %0, i64 %32
  br i1 %18, label %34, label %36

34:
  %35 = phi i1 [ true, %26 ], [ %43, %36 ]
  br i1 %19, label %46, label %59

36:
  %37 = phi i64 [ %44, %36 ], [ 0, %26 ]
  %38 = phi i1 [ %43, %36 ], [ true, %26 ]
  %39 = getelementptr inbounds nuw float, ptr %33, i64 %37
  %40 = load float, ptr %39, align 4
  %41 = tail call float @llvm.fabs.f32(float %40)
  %42 = fcmp one float %41, 0x7FF0000000000000
  %43 = and i1 %38, %42
  %44 = add nuw nsw i64 %37, 1
  %45 = icmp eq i64 %44, %17
  br i1 %45, label %34, label %36

46:
  %47 = phi i64 [ %71, %69 ], [ 1, %34 ]
  %48 = phi i64 [ %70, %69 ], [ 0, %34 ]
  %49 = phi float [ %82, %69 ], [ 0.000000e+00, %34 ]
  %50 = mul i64 %48, %14
  %51 = getelementptr float, ptr %33, i64 %50
  br label %73

52:
  %53 = tail call float @llvm.fabs.f32(float %82)
  %54 = bitcast float %53 to i32
  %55 = lshr i32 %54, 23
  %56 = icmp eq i32 %55, 0
  %57 = tail call i32 @llvm.umin.i32(i32 %55, i32 253)
  %58 = shl nuw nsw i32 %57, 23
  br i1 %56, label %59, label %60

59:
  br label %60

60:
  %61 = phi i32 [ 8388608, %59 ], [ %58, %52 ]
  %62 = sub nuw nsw i32 2130706432, %61
  %63 = bitcast i32 %62 to float
  %64 = select i1 %35, float 0.000000e+00, float 0x7FF8000000000000
  %65 = insertelement <8 x float> %27, float %64, i64 %29
  %66 = bitcast i32 %61 to float
  %67 = insertelement <8 x float> %28, float %66, i64 %29
  %68 = getelementptr float, ptr %7, i64 %29
  br i1 %19, label %85, label %91

69:
  %70 = add nuw nsw i64 %48, 1
  %71 = add nuw i64 %47, 1
  %72 = icmp eq i64 %70, %10
  br i1 %72, label %52, label %46

73:
  %74 = phi i64 [ 0, %46 ], [ %83, %73 ]
  %75 = phi float [ %49, %46 ], [ %82, %73 ]
  %76 = mul i64 %74, %15
  %77 = getelementptr float, ptr %51, i64 %76
  %78 = load float, ptr %77, align 4
  %79 = tail call float @llvm.fabs.f32(float %78)
  %80 = fcmp ogt float %79, %75
  %81 = select i1 %80, float %79, float %75
  %82 = freeze float %81
  %83 = add nuw nsw i64 %74, 1
  %84 = icmp eq i64 %83, %47
  br i1 %84, label %69, label %73

85:
  %86 = phi i64 [ %96, %94 ], [ 1, %60 ]
  %87 = phi i64 [ %95, %94 ], [ 0, %60 ]
  %88 = getelementptr <8 x float>, ptr %68, i64 %87
  %89 = mul i64 %87, %14
  %90 = getelementptr float, ptr %33, i64 %89
  br label %98

91:
  %92 = add nuw nsw i64 %29, 1
  %93 = icmp eq i64 %92, 8
  br i1 %93, label %20, label %26

94:
  %95 = add nuw nsw i64 %87, 1
  %96 = add nuw i64 %86, 1
  %97 = icmp eq i64 %95, %10
  br i1 %97, label %91, label %85

98:
  %99 = phi i64 [ 0, %85 ], [ %109, %105 ]
  br i1 %35, label %100, label %105

100:
  %101 = mul i64 %99, %15
  %102 = getelementptr float, ptr %90, i64 %101
  %103 = load float, ptr %102, align 4
  %104 = fmul float %103, %63
  br label %105

105:
  %106 = phi float [ %104, %100 ], [ 0.000000e+00, %98 ]
  %107 = mul i64 %99, %10
  %108 = getelementptr <8 x float>, ptr %88, i64 %107
  store float %106, ptr %108, align 4
  %109 = add nuw nsw i64 %99, 1
  %110 = icmp eq i64 %109, %86
  br i1 %110, label %94, label %98

111:
  %112 = phi i64 [ 0, %24 ], [ %119, %111 ]
  %113 = srem i64 %112, %25
  %114 = icmp eq i64 %113, 0
  %115 = uitofp i1 %114 to float
  %116 = insertelement <8 x float> poison, float %115, i64 0
  %117 = shufflevector <8 x float> %116, <8 x float> poison, <8 x i32> zeroinitializer
  %118 = getelementptr inbounds nuw <8 x float>, ptr %8, i64 %112
  store <8 x float> %117, ptr %118, align 32
  %119 = add nuw nsw i64 %112, 1
  %120 = icmp eq i64 %119, %17
  br i1 %120, label %121, label %111

121:
  %122 = phi ptr [ %23, %20 ], [ %8, %111 ]
  br label %123

123:
  %124 = phi i64 [ 0, %121 ], [ %283, %282 ]
  %125 = phi <8 x i32> [ zeroinitializer, %121 ], [ %133, %282 ]
  br i1 %19, label %134, label %132

126:
  %127 = phi <8 x float> [ %136, %134 ], [ %149, %142 ]
  %128 = icmp eq i64 %137, %10
  br i1 %128, label %129, label %134

129:
  %130 = fcmp ole <8 x float> %127, splat (float 0x3E40000000000000)
  %131 = select <8 x i1> %130, <8 x i32> splat (i32 -1), <8 x i32> %125
  br label %132

132:
  %133 = phi <8 x i32> [ splat (i32 -1), %123 ], [ %131, %129 ]
  br label %154

134:
  %135 = phi i64 [ %137, %126 ], [ 0, %123 ]
  %136 = phi <8 x float> [ %127, %126 ], [ zeroinitializer, %123 ]
  %137 = add nuw nsw i64 %135, 1
  %138 = icmp slt i64 %137, %10
  br i1 %138, label %139, label %126

139:
  %140 = mul i64 %135, %10
  %141 = getelementptr <8 x float>, ptr %7, i64 %140
  br label %142

142:
  %143 = phi i64 [ %137, %139 ], [ %150, %142 ]
  %144 = phi <8 x float> [ %136, %139 ], [ %149, %142 ]
  %145 = getelementptr <8 x float>, ptr %141, i64 %143
  %146 = load <8 x i32>, ptr %145, align 32
  %147 = and <8 x i32> %146, splat (i32 2147483647)
  %148 = bitcast <8 x i32> %147 to <8 x float>
  %149 = tail call <8 x float> @llvm.maxnum.v8f32(<8 x float> %144, <8 x float> %148)
  %150 = add nuw nsw i64 %143, 1
  %151 = icmp eq i64 %150, %10
  br i1 %151, label %126, label %142

152:
  br i1 %159, label %285, label %153

153:
  br i1 %19, label %164, label %282

154:
  %155 = phi i64 [ 0, %132 ], [ %160, %154 ]
  %156 = phi i1 [ true, %132 ], [ %159, %154 ]
  %157 = extractelement <8 x i32> %133, i64 %155
  %158 = icmp ne i32 %157, 0
  %159 = and i1 %156, %158
  %160 = add nuw nsw i64 %155, 1
  %161 = icmp eq i64 %160, 8
  br i1 %161, label %152, label %154

162:
  %163 = icmp eq i64 %166, %10
  br i1 %163, label %282, label %164

164:
  %165 = phi i64 [ %166, %162 ], [ 0, %153 ]
  %166 = add nuw nsw i64 %165, 1
  %167 = icmp slt i64 %166, %10
  br i1 %167, label %168, label %162

168:
  %169 = mul i64 %165, %10
  %170 = getelementptr <8 x float>, ptr %7, i64 %169
  %171 = getelementptr <8 x float>, ptr %170, i64 %165
  %172 = icmp eq i64 %165, 0
  %173 = getelementptr <8 x float>, ptr %122, i64 %169
  br label %174

174:
  %175 = phi i64 [ %166, %168 ], [ %235, %280 ]
  %176 = getelementptr <8 x float>, ptr %170, i64 %175
  %177 = load <8 x float>, ptr %176, align 32
  %178 = bitcast <8 x float> %177 to <8 x i32>
  %179 = tail call <8 x float> @llvm.fabs.v8f32(<8 x float> %177)
  %180 = fcmp ole <8 x float> %179, splat (float 0x3C30000000000000)
  %181 = select <8 x i1> %180, <8 x i32> splat (i32 -1), <8 x i32> %133
  %182 = mul i64 %175, %10
  %183 = getelementptr <8 x float>, ptr %7, i64 %182
  %184 = getelementptr <8 x float>, ptr %183, i64 %175
  %185 = load <8 x float>, ptr %184, align 32
  %186 = load <8 x float>, ptr %171, align 32
  %187 = fsub <8 x float> %185, %186
  %188 = fmul <8 x float> %177, splat (float 2.000000e+00)
  %189 = bitcast <8 x float> %188 to <8 x i32>
  %190 = and <8 x i32> %181, splat (i32 1065353216)
  %191 = xor <8 x i32> %181, splat (i32 -1)
  %192 = and <8 x i32> %191, %189
  %193 = or <8 x i32> %192, %190
  %194 = bitcast <8 x i32> %193 to <8 x float>
  %195 = fdiv <8 x float> %187, %194
  %196 = bitcast <8 x float> %195 to <8 x i32>
  %197 = and <8 x i32> %196, splat (i32 -2147483648)
  %198 = tail call <8 x float> @llvm.fabs.v8f32(<8 x float> %195)
  %199 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %195, <8 x float> %195, <8 x float> splat (float 1.000000e+00))
  %200 = tail call <8 x float> @llvm.sqrt.v8f32(<8 x float> %199)
  %201 = fadd <8 x float> %198, %200
  %202 = fdiv <8 x float> splat (float 1.000000e+00), %201
  %203 = bitcast <8 x float> %202 to <8 x i32>
  %204 = or <8 x i32> %197, %203
  %205 = and <8 x i32> %204, %191
  %206 = bitcast <8 x i32> %205 to <8 x float>
  %207 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %206, <8 x float> %206, <8 x float> splat (float 1.000000e+00))
  %208 = tail call <8 x float> @llvm.sqrt.v8f32(<8 x float> %207)
  %209 = fdiv <8 x float> splat (float 1.000000e+00), %208
  %210 = fmul <8 x float> %209, %206
  %211 = fneg <8 x float> %206
  %212 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %211, <8 x float> %177, <8 x float> %186)
  store <8 x float> %212, ptr %171, align 32
  %213 = load <8 x float>, ptr %184, align 32
  %214 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %206, <8 x float> %177, <8 x float> %213)
  store <8 x float> %214, ptr %184, align 32
  %215 = and <8 x i32> %133, %178
  store <8 x i32> %215, ptr %176, align 32
  br i1 %172, label %216, label %219

216:
  %217 = getelementptr <8 x float>, ptr %7, i64 %175
  %218 = icmp samesign ult i64 %166, %175
  br i1 %218, label %237, label %234

219:
  %220 = phi i64 [ %232, %219 ], [ 0, %174 ]
  %221 = mul i64 %220, %10
  %222 = getelementptr <8 x float>, ptr %7, i64 %221
  %223 = getelementptr <8 x float>, ptr %222, i64 %165
  %224 = load <8 x float>, ptr %223, align 32
  %225 = getelementptr <8 x float>, ptr %222, i64 %175
  %226 = load <8 x float>, ptr %225, align 32
  %227 = fneg <8 x float> %226
  %228 = fmul <8 x float> %210, %227
  %229 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %209, <8 x float> %224, <8 x float> %228)
  store <8 x float> %229, ptr %223, align 32
  %230 = fmul <8 x float> %209, %226
  %231 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %210, <8 x float> %224, <8 x float> %230)
  store <8 x float> %231, ptr %225, align 32
  %232 = add nuw nsw i64 %220, 1
  %233 = icmp eq i64 %232, %165
  br i1 %233, label %216, label %219

234:
  %235 = add nuw nsw i64 %175, 1
  %236 = icmp slt i64 %235, %10
  br i1 %236, label %254, label %251

237:
  %238 = phi i64 [ %249, %237 ], [ %166, %216 ]
  %239 = getelementptr <8 x float>, ptr %170, i64 %238
  %240 = load <8 x float>, ptr %239, align 32
  %241 = mul i64 %238, %10
  %242 = getelementptr <8 x float>, ptr %217, i64 %241
  %243 = load <8 x float>, ptr %242, align 32
  %244 = fneg <8 x float> %243
  %245 = fmul <8 x float> %210, %244
  %246 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %209, <8 x float> %240, <8 x float> %245)
  store <8 x float> %246, ptr %239, align 32
  %247 = fmul <8 x float> %209, %243
  %248 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %210, <8 x float> %240, <8 x float> %247)
  store <8 x float> %248, ptr %242, align 32
  %249 = add nuw nsw i64 %238, 1
  %250 = icmp eq i64 %249, %175
  br i1 %250, label %234, label %237

251:
  br i1 %21, label %280, label %252

252:
  %253 = getelementptr <8 x float>, ptr %122, i64 %182
  br label %267

254:
  %255 = phi i64 [ %265, %254 ], [ %235, %234 ]
  %256 = getelementptr <8 x float>, ptr %170, i64 %255
  %257 = load <8 x float>, ptr %256, align 32
  %258 = getelementptr <8 x float>, ptr %183, i64 %255
  %259 = load <8 x float>, ptr %258, align 32
  %260 = fneg <8 x float> %259
  %261 = fmul <8 x float> %210, %260
  %262 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %209, <8 x float> %257, <8 x float> %261)
  store <8 x float> %262, ptr %256, align 32
  %263 = fmul <8 x float> %209, %259
  %264 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %210, <8 x float> %257, <8 x float> %263)
  store <8 x float> %264, ptr %258, align 32
  %265 = add nuw nsw i64 %255, 1
  %266 = icmp eq i64 %265, %10
  br i1 %266, label %251, label %254

267:
  %268 = phi i64 [ 0, %252 ], [ %278, %267 ]
  %269 = getelementptr <8 x float>, ptr %173, i64 %268
  %270 = load <8 x float>, ptr %269, align 32
  %271 = getelementptr <8 x float>, ptr %253, i64 %268
  %272 = load <8 x float>, ptr %271, align 32
  %273 = fneg <8 x float> %272
  %274 = fmul <8 x float> %210, %273
  %275 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %209, <8 x float> %270, <8 x float> %274)
  store <8 x float> %275, ptr %269, align 32
  %276 = fmul <8 x float> %209, %272
  %277 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %210, <8 x float> %270, <8 x float> %276)
  store <8 x float> %277, ptr %271, align 32
  %278 = add nuw nsw i64 %268, 1
  %279 = icmp eq i64 %278, %10
  br i1 %279, label %280, label %267

280:
  %281 = icmp eq i64 %235, %10
  br i1 %281, label %162, label %174

282:
  %283 = add nuw nsw i64 %124, 1
  %284 = icmp eq i64 %283, 30
  br i1 %284, label %285, label %123

285:
  %286 = icmp sgt i64 %5, 0
  br i1 %286, label %287, label %291

287:
  %288 = add i64 %10, 1
  %289 = icmp slt i64 %10, 1
  %290 = or i1 %21, %289
  br label %292

291:
  ret void

292:
  %293 = phi i64 [ 0, %287 ], [ %365, %364 ]
  br i1 %19, label %300, label %364

294:
  %295 = extractelement <8 x float> %67, i64 %293
  %296 = extractelement <8 x float> %65, i64 %293
  %297 = add i64 %293, %4
  %298 = mul i64 %297, %10
  %299 = getelementptr float, ptr %1, i64 %298
  br label %331

300:
  %301 = phi i64 [ %324, %321 ], [ 0, %292 ]
  %302 = icmp eq i64 %301, 0
  br i1 %302, label %321, label %303

303:
  %304 = mul i64 %301, %288
  %305 = getelementptr inbounds <8 x float>, ptr %7, i64 %304
  %306 = load <8 x float>, ptr %305, align 32
  %307 = extractelement <8 x float> %306, i64 %293
  br label %308

308:
  %309 = phi i64 [ %301, %303 ], [ %319, %318 ]
  %310 = getelementptr i64, ptr %9, i64 %309
  %311 = getelementptr i8, ptr %310, i64 -8
  %312 = load i64, ptr %311, align 8
  %313 = mul i64 %312, %288
  %314 = getelementptr inbounds <8 x float>, ptr %7, i64 %313
  %315 = load <8 x float>, ptr %314, align 32
  %316 = extractelement <8 x float> %315, i64 %293
  %317 = fcmp ogt float %316, %307
  br i1 %317, label %318, label %321

318:
  store i64 %312, ptr %310, align 8
  %319 = add nsw i64 %309, -1
  %320 = icmp sgt i64 %309, 1
  br i1 %320, label %308, label %321

321:
  %322 = phi i64 [ 0, %300 ], [ 0, %318 ], [ %309, %308 ]
  %323 = getelementptr inbounds i64, ptr %9, i64 %322
  store i64 %301, ptr %323, align 8
  %324 = add nuw nsw i64 %301, 1
  %325 = icmp eq i64 %324, %10
  br i1 %325, label %294, label %300

326:
  br i1 %290, label %364, label %327

327:
  %328 = extractelement <8 x float> %65, i64 %293
  %329 = add i64 %293, %4
  %330 = mul i64 %329, %10
  br label %343

331:
  %332 = phi i64 [ 0, %294 ], [ %341, %331 ]
  %333 = getelementptr inbounds nuw i64, ptr %9, i64 %332
  %334 = load i64, ptr %333, align 8
  %335 = mul i64 %334, %288
  %336 = getelementptr inbounds <8 x float>, ptr %7, i64 %335
  %337 = load <8 x float>, ptr %336, align 32
  %338 = extractelement <8 x float> %337, i64 %293
  %339 = tail call float @llvm.fmuladd.f32(float %338, float %295, float %296)
  %340 = getelementptr float, ptr %299, i64 %332
  store float %339, ptr %340, align 4
  %341 = add nuw nsw i64 %332, 1
  %342 = icmp eq i64 %341, %10
  br i1 %342, label %326, label %331

343:
  %344 = phi i64 [ 0, %327 ], [ %350, %349 ]
  %345 = getelementptr <8 x float>, ptr %8, i64 %344
  %346 = add i64 %344, %330
  %347 = mul i64 %346, %10
  %348 = getelementptr float, ptr %2, i64 %347
  br label %352

349:
  %350 = add nuw nsw i64 %344, 1
  %351 = icmp eq i64 %350, %10
  br i1 %351, label %364, label %343

352:
  %353 = phi i64 [ 0, %343 ], [ %362, %352 ]
  %354 = getelementptr inbounds nuw i64, ptr %9, i64 %353
  %355 = load i64, ptr %354, align 8
  %356 = mul i64 %355, %10
  %357 = getelementptr <8 x float>, ptr %345, i64 %356
  %358 = load <8 x float>, ptr %357, align 32
  %359 = extractelement <8 x float> %358, i64 %293
  %360 = fadd float %328, %359
  %361 = getelementptr float, ptr %348, i64 %353
  store float %360, ptr %361, align 4
  %362 = add nuw nsw i64 %353, 1
  %363 = icmp eq i64 %362, %10
  br i1 %363, label %349, label %352

364:
  %365 = add nuw nsw i64 %293, 1
  %366 = icmp eq i64 %365, %5
  br i1 %366, label %291, label %292
}

define void @eigvalsh_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %9

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %10

9:
  ret void

10:
  %11 = phi i64 [ %1, %6 ], [ %17, %10 ]
  %12 = load ptr, ptr %7, align 8
  %13 = load ptr, ptr %8, align 8
  %14 = load ptr, ptr %0, align 8
  %15 = sub i64 %2, %11
  %16 = tail call i64 @llvm.smin.i64(i64 %15, i64 8)
  tail call fastcc void @symmetric_f32(ptr %12, ptr %13, ptr null, ptr %14, i64 %11, i64 %16)
  %17 = add i64 %11, 8
  %18 = icmp slt i64 %17, %2
  br i1 %18, label %10, label %9
}

define void @cholesky_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <4 x double>], align 32
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = load ptr, ptr %0, align 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %17

13:
  %14 = icmp sgt i64 %11, 0
  %15 = mul i64 %11, %11
  %16 = sub i64 %2, %1
  br label %18

17:
  ret void

18:
  %19 = phi i64 [ %16, %13 ], [ %118, %115 ]
  %20 = phi i64 [ %1, %13 ], [ %116, %115 ]
  %21 = tail call i64 @llvm.smax.i64(i64 %19, i64 1)
  %22 = tail call i64 @llvm.umin.i64(i64 %21, i64 4)
  %23 = sub i64 %2, %20
  br i1 %14, label %24, label %57

24:
  %25 = tail call i64 @llvm.smin.i64(i64 %23, i64 4)
  %26 = add i64 %25, -1
  br label %27

27:
  %28 = phi i64 [ 1, %24 ], [ %38, %36 ]
  %29 = phi i64 [ 0, %24 ], [ %37, %36 ]
  %30 = mul i64 %29, %11
  %31 = getelementptr inbounds <4 x double>, ptr %5, i64 %30
  br label %32

32:
  %33 = phi i64 [ 0, %27 ], [ %41, %40 ]
  %34 = getelementptr double, ptr %7, i64 %33
  %35 = getelementptr inbounds nuw <4 x double>, ptr %31, i64 %33
  br label %43

36:
  %37 = add nuw nsw i64 %29, 1
  %38 = add nuw i64 %28, 1
  %39 = icmp eq i64 %37, %11
  br i1 %39, label %60, label %27

40:
  %41 = add nuw nsw i64 %33, 1
  %42 = icmp eq i64 %41, %28
  br i1 %42, label %36, label %32

43:
  %44 = phi i64 [ 0, %32 ], [ %53, %43 ]
  %45 = tail call i64 @llvm.smin.i64(i64 %44, i64 %26)
  %46 = add i64 %45, %20
  %47 = mul i64 %46, %11
  %48 = add i64 %47, %29
  %49 = mul i64 %48, %11
  %50 = getelementptr double, ptr %34, i64 %49
  %51 = load double, ptr %50, align 8
  %52 = getelementptr inbounds nuw double, ptr %35, i64 %44
  store double %51, ptr %52, align 8
  %53 = add nuw nsw i64 %44, 1
  %54 = icmp eq i64 %53, 4
  br i1 %54, label %40, label %43

55:
  %56 = icmp eq i64 %81, %11
  br i1 %56, label %57, label %60

57:
  %58 = phi <4 x double> [ zeroinitializer, %18 ], [ %90, %55 ]
  %59 = icmp sgt i64 %23, 0
  br i1 %59, label %119, label %115

60:
  %61 = phi i64 [ %81, %55 ], [ 0, %36 ]
  %62 = phi <4 x double> [ %90, %55 ], [ zeroinitializer, %36 ]
  %63 = mul i64 %61, %11
  %64 = getelementptr <4 x double>, ptr %5, i64 %63
  %65 = getelementptr <4 x double>, ptr %64, i64 %61
  %66 = load <4 x double>, ptr %65, align 32
  %67 = icmp eq i64 %61, 0
  br i1 %67, label %68, label %70

68:
  %69 = phi <4 x double> [ %66, %60 ], [ %76, %70 ]
  br label %83

70:
  %71 = phi i64 [ %77, %70 ], [ 0, %60 ]
  %72 = phi <4 x double> [ %76, %70 ], [ %66, %60 ]
  %73 = getelementptr <4 x double>, ptr %64, i64 %71
  %74 = load <4 x double>, ptr %73, align 32
  %75 = fneg <4 x double> %74
  %76 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %75, <4 x double> %74, <4 x double> %72)
  %77 = add nuw nsw i64 %71, 1
  %78 = icmp eq i64 %77, %61
  br i1 %78, label %68, label %70

79:
  %80 = tail call <4 x double> @llvm.sqrt.v4f64(<4 x double> %69)
  store <4 x double> %80, ptr %65, align 32
  %81 = add nuw nsw i64 %61, 1
  %82 = icmp slt i64 %81, %11
  br i1 %82, label %93, label %55

83:
  %84 = phi i64 [ 0, %68 ], [ %91, %83 ]
  %85 = phi <4 x double> [ %62, %68 ], [ %90, %83 ]
  %86 = extractelement <4 x double> %69, i64 %84
  %87 = tail call i1 @llvm.is.fpclass.f64(double %86, i32 639)
  %88 = extractelement <4 x double> %85, i64 %84
  %89 = select i1 %87, double 0x7FF8000000000000, double %88
  %90 = insertelement <4 x double> %85, double %89, i64 %84
  %91 = add nuw nsw i64 %84, 1
  %92 = icmp eq i64 %91, 4
  br i1 %92, label %79, label %83

93:
  %94 = phi i64 [ %102, %99 ], [ %81, %79 ]
  %95 = mul i64 %94, %11
  %96 = getelementptr <4 x double>, ptr %5, i64 %95
  %97 = getelementptr <4 x double>, ptr %96, i64 %61
  %98 = load <4 x double>, ptr %97, align 32
  br i1 %67, label %99, label %104

99:
  %100 = phi <4 x double> [ %98, %93 ], [ %112, %104 ]
  %101 = fdiv <4 x double> %100, %80
  store <4 x double> %101, ptr %97, align 32
  %102 = add nuw nsw i64 %94, 1
  %103 = icmp eq i64 %102, %11
  br i1 %103, label %55, label %93

104:
  %105 = phi i64 [ %113, %104 ], [ 0, %93 ]
  %106 = phi <4 x double> [ %112, %104 ], [ %98, %93 ]
  %107 = getelementptr <4 x double>, ptr %96, i64 %105
  %108 = load <4 x double>, ptr %107, align 32
  %109 = getelementptr <4 x double>, ptr %64, i64 %105
  %110 = load <4 x double>, ptr %109, align 32
  %111 = fneg <4 x double> %108
  %112 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %111, <4 x double> %110, <4 x double> %106)
  %113 = add nuw nsw i64 %105, 1
  %114 = icmp eq i64 %113, %61
  br i1 %114, label %99, label %104

115:
  %116 = add i64 %20, 4
  %117 = icmp slt i64 %116, %2
  %118 = add i64 %19, -4
  br i1 %117, label %18, label %17

119:
  %120 = phi i64 [ %133, %132 ], [ 0, %57 ]
  %121 = add i64 %120, %20
  %122 = mul i64 %15, %121
  %123 = getelementptr inbounds double, ptr %9, i64 %122
  %124 = getelementptr double, ptr %5, i64 %120
  br i1 %14, label %125, label %132

125:
  %126 = extractelement <4 x double> %58, i64 %120
  br label %127

127:
  %128 = phi i64 [ 0, %125 ], [ %136, %135 ]
  %129 = mul i64 %128, %11
  %130 = getelementptr <4 x double>, ptr %124, i64 %129
  %131 = getelementptr double, ptr %123, i64 %129
  br label %138

132:
  %133 = add nuw nsw i64 %120, 1
  %134 = icmp eq i64 %133, %22
  br i1 %134, label %115, label %119

135:
  %136 = add nuw nsw i64 %128, 1
  %137 = icmp eq i64 %136, %11
  br i1 %137, label %132, label %127

138:
  %139 = phi i64 [ 0, %127 ], [ %148, %144 ]
  %140 = icmp samesign ugt i64 %139, %128
  br i1 %140, label %144, label %141

141:
  %142 = getelementptr <4 x double>, ptr %130, i64 %139
  %143 = load double, ptr %142, align 8
  br label %144

144:
  %145 = phi double [ %143, %141 ], [ 0.000000e+00, %138 ]
  %146 = fadd double %126, %145
  %147 = getelementptr double, ptr %131, i64 %139
  store double %146, ptr %147, align 8
  %148 = add nuw nsw i64 %139, 1
  %149 = icmp eq i64 %148, %11
  br i1 %149, label %135, label %138
}

declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)

define void @triangular_solve_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <4 x double>], align 32
  %6 = alloca [32 x <4 x double>], align 32
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %12 = load ptr, ptr %11, align 8
  %13 = load ptr, ptr %0, align 8
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 8
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %13, i64 32
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %13, i64 40
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i8, ptr %13, i64 48
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds nuw i8, ptr %13, i64 56
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds nuw i8, ptr %13, i64 64
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %13, i64 72
  %32 = load i64, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %13, i64 80
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %1, %2
  br i1 %35, label %36, label %45

36:
  %37 = icmp sgt i64 %14, 0
  %38 = getelementptr double, ptr %8, i64 %32
  %39 = icmp sgt i64 %16, 0
  %40 = getelementptr double, ptr %10, i64 %34
  %41 = icmp eq i64 %18, 0
  %42 = add i64 %14, 1
  %43 = getelementptr double, ptr %12, i64 %34
  %44 = sub i64 %2, %1
  br label %46

45:
  ret void

46:
  %47 = phi i64 [ %44, %36 ], [ %96, %93 ]
  %48 = phi i64 [ %1, %36 ], [ %94, %93 ]
  %49 = tail call i64 @llvm.smax.i64(i64 %47, i64 1)
  %50 = tail call i64 @llvm.umin.i64(i64 %49, i64 4)
  %51 = sub i64 %2, %48
  %52 = tail call i64 @llvm.smin.i64(i64 %51, i64 4)
  br i1 %37, label %53, label %55

53:
  %54 = add i64 %52, -1
  br label %59

55:
  br i1 %39, label %56, label %93

56:
  %57 = add i64 %52, -1
  %58 = icmp sgt i64 %51, 0
  br label %88

59:
  %60 = phi i64 [ 1, %53 ], [ %73, %71 ]
  %61 = phi i64 [ 0, %53 ], [ %72, %71 ]
  %62 = mul i64 %61, %20
  %63 = getelementptr double, ptr %38, i64 %62
  %64 = mul i64 %61, %14
  %65 = getelementptr inbounds <4 x double>, ptr %5, i64 %64
  br label %66

66:
  %67 = phi i64 [ 0, %59 ], [ %76, %75 ]
  %68 = mul i64 %67, %22
  %69 = getelementptr double, ptr %63, i64 %68
  %70 = getelementptr inbounds nuw <4 x double>, ptr %65, i64 %67
  br label %78

71:
  %72 = add nuw nsw i64 %61, 1
  %73 = add nuw i64 %60, 1
  %74 = icmp eq i64 %72, %14
  br i1 %74, label %55, label %59

75:
  %76 = add nuw nsw i64 %67, 1
  %77 = icmp eq i64 %76, %60
  br i1 %77, label %71, label %66

78:
  %79 = phi i64 [ 0, %66 ], [ %86, %78 ]
  %80 = tail call i64 @llvm.smin.i64(i64 %79, i64 %54)
  %81 = add i64 %80, %48
  %82 = mul i64 %81, %28
  %83 = getelementptr double, ptr %69, i64 %82
  %84 = load double, ptr %83, align 8
  %85 = getelementptr inbounds nuw double, ptr %70, i64 %79
  store double %84, ptr %85, align 8
  %86 = add nuw nsw i64 %79, 1
  %87 = icmp eq i64 %86, 4
  br i1 %87, label %75, label %78

88:
  %89 = phi i64 [ 0, %56 ], [ %152, %151 ]
  br i1 %37, label %90, label %97

90:
  %91 = mul i64 %89, %26
  %92 = getelementptr double, ptr %40, i64 %91
  br label %101

93:
  %94 = add i64 %48, 4
  %95 = icmp slt i64 %94, %2
  %96 = add i64 %47, -4
  br i1 %95, label %46, label %45

97:
  br i1 %58, label %98, label %151

98:
  %99 = mul i64 %89, %26
  %100 = getelementptr double, ptr %43, i64 %99
  br label %144

101:
  %102 = phi i64 [ 0, %90 ], [ %142, %140 ]
  %103 = mul i64 %102, %24
  %104 = getelementptr double, ptr %92, i64 %103
  %105 = getelementptr inbounds nuw <4 x double>, ptr %6, i64 %102
  br label %112

106:
  %107 = load <4 x double>, ptr %105, align 32
  %108 = icmp eq i64 %102, 0
  br i1 %108, label %122, label %109

109:
  %110 = mul i64 %102, %14
  %111 = getelementptr <4 x double>, ptr %5, i64 %110
  br label %124

112:
  %113 = phi i64 [ 0, %101 ], [ %120, %112 ]
  %114 = tail call i64 @llvm.smin.i64(i64 %113, i64 %57)
  %115 = add i64 %114, %48
  %116 = mul i64 %115, %30
  %117 = getelementptr double, ptr %104, i64 %116
  %118 = load double, ptr %117, align 8
  %119 = getelementptr inbounds nuw double, ptr %105, i64 %113
  store double %118, ptr %119, align 8
  %120 = add nuw nsw i64 %113, 1
  %121 = icmp eq i64 %120, 4
  br i1 %121, label %106, label %112

122:
  %123 = phi <4 x double> [ %107, %106 ], [ %132, %124 ]
  br i1 %41, label %135, label %140

124:
  %125 = phi i64 [ 0, %109 ], [ %133, %124 ]
  %126 = phi <4 x double> [ %107, %109 ], [ %132, %124 ]
  %127 = getelementptr <4 x double>, ptr %111, i64 %125
  %128 = load <4 x double>, ptr %127, align 32
  %129 = getelementptr inbounds nuw <4 x double>, ptr %6, i64 %125
  %130 = load <4 x double>, ptr %129, align 32
  %131 = fneg <4 x double> %128
  %132 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %131, <4 x double> %130, <4 x double> %126)
  %133 = add nuw nsw i64 %125, 1
  %134 = icmp eq i64 %133, %102
  br i1 %134, label %122, label %124

135:
  %136 = mul i64 %102, %42
  %137 = getelementptr inbounds <4 x double>, ptr %5, i64 %136
  %138 = load <4 x double>, ptr %137, align 32
  %139 = fdiv <4 x double> %123, %138
  br label %140

140:
  %141 = phi <4 x double> [ %139, %135 ], [ %123, %122 ]
  store <4 x double> %141, ptr %105, align 32
  %142 = add nuw nsw i64 %102, 1
  %143 = icmp eq i64 %142, %14
  br i1 %143, label %97, label %101

144:
  %145 = phi i64 [ 0, %98 ], [ %155, %154 ]
  %146 = getelementptr double, ptr %6, i64 %145
  br i1 %37, label %147, label %154

147:
  %148 = add i64 %145, %48
  %149 = mul i64 %148, %30
  %150 = getelementptr double, ptr %100, i64 %149
  br label %157

151:
  %152 = add nuw nsw i64 %89, 1
  %153 = icmp eq i64 %152, %16
  br i1 %153, label %93, label %88

154:
  %155 = add nuw nsw i64 %145, 1
  %156 = icmp eq i64 %155, %50
  br i1 %156, label %151, label %144

157:
  %158 = phi i64 [ 0, %147 ], [ %163, %157 ]
  %159 = getelementptr <4 x double>, ptr %146, i64 %158
  %160 = load double, ptr %159, align 8
  %161 = mul i64 %158, %24
  %162 = getelementptr double, ptr %150, i64 %161
  store double %160, ptr %162, align 8
  %163 = add nuw nsw i64 %158, 1
  %164 = icmp eq i64 %163, %14
  br i1 %164, label %154, label %157
}

define void @lu_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [1024 x <4 x double>], align 32
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %13 = load ptr, ptr %12, align 8
  %14 = load ptr, ptr %0, align 8
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %17 = load i64, ptr %16, align 8
  %18 = tail call i64 @llvm.smin.i64(i64 %15, i64 %17)
  %19 = icmp slt i64 %1, %2
  br i1 %19, label %20, label %26

20:
  %21 = mul i64 %17, %15
  %22 = icmp sgt i64 %21, 0
  %23 = icmp sgt i64 %15, 0
  %24 = icmp sgt i64 %18, 0
  %25 = sub i64 %2, %1
  br label %27

26:
  ret void

27:
  %28 = phi i64 [ %25, %20 ], [ %189, %186 ]
  %29 = phi i64 [ %1, %20 ], [ %187, %186 ]
  %30 = tail call i64 @llvm.smax.i64(i64 %28, i64 1)
  %31 = tail call i64 @llvm.umin.i64(i64 %30, i64 4)
  %32 = sub i64 %2, %29
  br i1 %22, label %33, label %36

33:
  %34 = tail call i64 @llvm.smin.i64(i64 %32, i64 4)
  %35 = add i64 %34, -1
  br label %38

36:
  %37 = icmp sgt i64 %32, 0
  br i1 %37, label %56, label %55

38:
  %39 = phi i64 [ 0, %33 ], [ %43, %42 ]
  %40 = getelementptr double, ptr %7, i64 %39
  %41 = getelementptr inbounds nuw <4 x double>, ptr %5, i64 %39
  br label %45

42:
  %43 = add nuw nsw i64 %39, 1
  %44 = icmp eq i64 %43, %21
  br i1 %44, label %36, label %38

45:
  %46 = phi i64 [ 0, %38 ], [ %53, %45 ]
  %47 = tail call i64 @llvm.smin.i64(i64 %46, i64 %35)
  %48 = add i64 %47, %29
  %49 = mul i64 %21, %48
  %50 = getelementptr double, ptr %40, i64 %49
  %51 = load double, ptr %50, align 8
  %52 = getelementptr inbounds nuw double, ptr %41, i64 %46
  store double %51, ptr %52, align 8
  %53 = add nuw nsw i64 %46, 1
  %54 = icmp eq i64 %53, 4
  br i1 %54, label %42, label %45

55:
  br i1 %24, label %74, label %73

56:
  %57 = phi i64 [ %63, %62 ], [ 0, %36 ]
  br i1 %23, label %58, label %62

58:
  %59 = add i64 %57, %29
  %60 = mul i64 %59, %15
  %61 = getelementptr i32, ptr %13, i64 %60
  br label %65

62:
  %63 = add nuw nsw i64 %57, 1
  %64 = icmp eq i64 %63, %31
  br i1 %64, label %55, label %56

65:
  %66 = phi i64 [ 0, %58 ], [ %69, %65 ]
  %67 = trunc i64 %66 to i32
  %68 = getelementptr i32, ptr %61, i64 %66
  store i32 %67, ptr %68, align 4
  %69 = add nuw nsw i64 %66, 1
  %70 = icmp eq i64 %69, %15
  br i1 %70, label %62, label %65

71:
  %72 = icmp eq i64 %145, %18
  br i1 %72, label %73, label %74

73:
  br i1 %37, label %179, label %186

74:
  %75 = phi i64 [ %145, %71 ], [ 0, %55 ]
  %76 = getelementptr i32, ptr %11, i64 %75
  %77 = mul i64 %75, %17
  br i1 %37, label %78, label %84

78:
  %79 = add i64 %77, %75
  %80 = shl i64 %79, 5
  %81 = add nuw nsw i64 %75, 1
  %82 = icmp slt i64 %81, %15
  %83 = trunc i64 %75 to i32
  br label %88

84:
  %85 = getelementptr <4 x double>, ptr %5, i64 %77
  %86 = getelementptr <4 x double>, ptr %85, i64 %75
  %87 = load <4 x double>, ptr %86, align 32
  br label %149

88:
  %89 = phi i64 [ 0, %78 ], [ %142, %141 ]
  %90 = getelementptr inbounds nuw double, ptr %5, i64 %89
  br i1 %82, label %95, label %91

91:
  %92 = add i64 %89, %29
  %93 = mul i64 %92, %18
  %94 = getelementptr i32, ptr %76, i64 %93
  store i32 %83, ptr %94, align 4
  br label %141

95:
  %96 = getelementptr inbounds i8, ptr %90, i64 %80
  %97 = load double, ptr %96, align 8
  %98 = tail call double @llvm.fabs.f64(double %97)
  br label %107

99:
  %100 = trunc i64 %118 to i32
  %101 = add i64 %89, %29
  %102 = mul i64 %101, %18
  %103 = getelementptr i32, ptr %76, i64 %102
  store i32 %100, ptr %103, align 4
  %104 = icmp eq i64 %118, %75
  br i1 %104, label %141, label %105

105:
  %106 = mul i64 %118, %17
  br label %129

107:
  %108 = phi i64 [ %120, %107 ], [ %81, %95 ]
  %109 = phi double [ %119, %107 ], [ %98, %95 ]
  %110 = phi i64 [ %118, %107 ], [ %75, %95 ]
  %111 = mul i64 %108, %17
  %112 = add i64 %111, %75
  %113 = shl i64 %112, 5
  %114 = getelementptr inbounds i8, ptr %90, i64 %113
  %115 = load double, ptr %114, align 8
  %116 = tail call double @llvm.fabs.f64(double %115)
  %117 = fcmp ogt double %116, %109
  %118 = select i1 %117, i64 %108, i64 %110
  %119 = select i1 %117, double %116, double %109
  %120 = add nuw nsw i64 %108, 1
  %121 = icmp eq i64 %120, %15
  br i1 %121, label %99, label %107

122:
  %123 = mul i64 %101, %15
  %124 = getelementptr inbounds i32, ptr %13, i64 %123
  %125 = getelementptr inbounds nuw i32, ptr %124, i64 %75
  %126 = load i32, ptr %125, align 4
  %127 = getelementptr inbounds i32, ptr %124, i64 %118
  %128 = load i32, ptr %127, align 4
  store i32 %128, ptr %125, align 4
  store i32 %126, ptr %127, align 4
  br label %141

129:
  %130 = phi i64 [ 0, %105 ], [ %139, %129 ]
  %131 = add i64 %130, %77
  %132 = shl i64 %131, 5
  %133 = getelementptr inbounds i8, ptr %90, i64 %132
  %134 = load double, ptr %133, align 8
  %135 = add i64 %130, %106
  %136 = shl i64 %135, 5
  %137 = getelementptr inbounds i8, ptr %90, i64 %136
  %138 = load double, ptr %137, align 8
  store double %138, ptr %133, align 8
  store double %134, ptr %137, align 8
  %139 = add nuw nsw i64 %130, 1
  %140 = icmp eq i64 %139, %17
  br i1 %140, label %122, label %129

141:
  %142 = add nuw nsw i64 %89, 1
  %143 = icmp eq i64 %142, %31
  br i1 %143, label %84, label %88

144:
  %145 = add nuw nsw i64 %75, 1
  %146 = icmp slt i64 %145, %15
  br i1 %146, label %147, label %71

147:
  %148 = icmp slt i64 %145, %17
  br label %158

149:
  %150 = phi i64 [ 0, %84 ], [ %156, %149 ]
  %151 = phi <4 x double> [ %87, %84 ], [ %155, %149 ]
  %152 = extractelement <4 x double> %151, i64 %150
  %153 = fcmp oeq double %152, 0.000000e+00
  %154 = select i1 %153, double 1.000000e+00, double %152
  %155 = insertelement <4 x double> %151, double %154, i64 %150
  %156 = add nuw nsw i64 %150, 1
  %157 = icmp eq i64 %156, 4
  br i1 %157, label %144, label %149

158:
  %159 = phi i64 [ %145, %147 ], [ %168, %167 ]
  %160 = mul i64 %159, %17
  %161 = getelementptr <4 x double>, ptr %5, i64 %160
  %162 = getelementptr <4 x double>, ptr %161, i64 %75
  %163 = load <4 x double>, ptr %162, align 32
  %164 = fdiv <4 x double> %163, %155
  store <4 x double> %164, ptr %162, align 32
  br i1 %148, label %165, label %167

165:
  %166 = fneg <4 x double> %164
  br label %170

167:
  %168 = add nuw nsw i64 %159, 1
  %169 = icmp eq i64 %168, %15
  br i1 %169, label %71, label %158

170:
  %171 = phi i64 [ %145, %165 ], [ %177, %170 ]
  %172 = getelementptr <4 x double>, ptr %85, i64 %171
  %173 = load <4 x double>, ptr %172, align 32
  %174 = getelementptr <4 x double>, ptr %161, i64 %171
  %175 = load <4 x double>, ptr %174, align 32
  %176 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %166, <4 x double> %173, <4 x double> %175)
  store <4 x double> %176, ptr %174, align 32
  %177 = add nuw nsw i64 %171, 1
  %178 = icmp eq i64 %177, %17
  br i1 %178, label %167, label %170

179:
  %180 = phi i64 [ %191, %190 ], [ 0, %73 ]
  %181 = getelementptr double, ptr %5, i64 %180
  br i1 %22, label %182, label %190

182:
  %183 = add i64 %180, %29
  %184 = mul i64 %21, %183
  %185 = getelementptr double, ptr %9, i64 %184
  br label %193

186:
  %187 = add i64 %29, 4
  %188 = icmp slt i64 %187, %2
  %189 = add i64 %28, -4
  br i1 %188, label %27, label %26

190:
  %191 = add nuw nsw i64 %180, 1
  %192 = icmp eq i64 %191, %31
  br i1 %192, label %186, label %179

193:
  %194 = phi i64 [ 0, %182 ], [ %198, %193 ]
  %195 = getelementptr <4 x double>, ptr %181, i64 %194
  %196 = load double, ptr %195, align 8
  %197 = getelementptr double, ptr %185, i64 %194
  store double %196, ptr %197, align 8
  %198 = add nuw nsw i64 %194, 1
  %199 = icmp eq i64 %198, %21
  br i1 %199, label %190, label %193
}

declare double @llvm.fabs.f64(double)

define void @eigh_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %10

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %11

10:
  ret void

11:
  %12 = phi i64 [ %1, %6 ], [ %19, %11 ]
  %13 = load ptr, ptr %7, align 8
  %14 = load ptr, ptr %8, align 8
  %15 = load ptr, ptr %9, align 8
  %16 = load ptr, ptr %0, align 8
  %17 = sub i64 %2, %12
  %18 = tail call i64 @llvm.smin.i64(i64 %17, i64 4)
  tail call fastcc void @symmetric_f64(ptr %13, ptr %14, ptr %15, ptr %16, i64 %12, i64 %18)
  %19 = add i64 %12, 4
  %20 = icmp slt i64 %19, %2
  br i1 %20, label %11, label %10
}

define internal fastcc void @symmetric_f64(ptr %0, ptr %1, ptr %2, ptr %3, i64 %4, i64 %5) nounwind {
  %7 = alloca [1024 x <4 x double>], align 32
  %8 = alloca [1024 x <4 x double>], align 32
  %9 = alloca [32 x i64], align 16
  %10 = load i64, ptr %3, align 8
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = icmp eq i64 %12, 0
  %14 = select i1 %13, i64 1, i64 %10
  %15 = select i1 %13, i64 %10, i64 1
  %16 = add i64 %5, -1
  %17 = mul i64 %10, %10
  %18 = icmp slt i64 %17, 1
  %19 = icmp sgt i64 %10, 0
  br label %26

20:
  %21 = icmp eq ptr %2, null
  %22 = or i1 %21, %18
  %23 = select i1 %21, ptr null, ptr %8
  br i1 %22, label %121, label %24

24:
  %25 = add i64 %10, 1
  br label %111

26:
  %27 = phi <4 x double> [ zeroinitializer, %6 ], [ %65, %91 ]
  %28 = phi <4 x double> [ undef, %6 ], [ %67, %91 ]
  %29 = phi i64 [ 0, %6 ], [ %92, %91 ]
  %30 = tail call i64 @llvm.smin.i64(i64 %29, i64 %16)
  %31 = add i64 %30, %4
  %32 = mul i64 %17, %31
  %33 = getelementptr inbounds double, ptr %0, i64 %32
  br i1 %18, label %34, label %36

34:
  %35 = phi i1 [ true, %26 ], [ %43, %36 ]
  br i1 %19, label %46, label %59

36:
  %37 = phi i64 [ %44, %36 ], [ 0, %26 ]
  %38 = phi i1 [ %43, %36 ], [ true, %26 ]
  %39 = getelementptr inbounds nuw double, ptr %33, i64 %37
  %40 = load double, ptr %39, align 8
  %41 = tail call double @llvm.fabs.f64(double %40)
  %42 = fcmp one double %41, 0x7FF0000000000000
  %43 = and i1 %38, %42
  %44 = add nuw nsw i64 %37, 1
  %45 = icmp eq i64 %44, %17
  br i1 %45, label %34, label %36

46:
  %47 = phi i64 [ %71, %69 ], [ 1, %34 ]
  %48 = phi i64 [ %70, %69 ], [ 0, %34 ]
  %49 = phi double [ %82, %69 ], [ 0.000000e+00, %34 ]
  %50 = mul i64 %48, %14
  %51 = getelementptr double, ptr %33, i64 %50
  br label %73

52:
  %53 = tail call double @llvm.fabs.f64(double %82)
  %54 = bitcast double %53 to i64
  %55 = lshr i64 %54, 52
  %56 = icmp eq i64 %55, 0
  %57 = tail call i64 @llvm.umin.i64(i64 %55, i64 2045)
  %58 = shl nuw nsw i64 %57, 52
  br i1 %56, label %59, label %60

59:
  br label %60

60:
  %61 = phi i64 [ 4503599627370496, %59 ], [ %58, %52 ]
  %62 = sub nuw nsw i64 9214364837600034816, %61
  %63 = bitcast i64 %62 to double
  %64 = select i1 %35, double 0.000000e+00, double 0x7FF8000000000000
  %65 = insertelement <4 x double> %27, double %64, i64 %29
  %66 = bitcast i64 %61 to double
  %67 = insertelement <4 x double> %28, double %66, i64 %29
  %68 = getelementptr double, ptr %7, i64 %29
  br i1 %19, label %85, label %91

69:
  %70 = add nuw nsw i64 %48, 1
  %71 = add nuw i64 %47, 1
  %72 = icmp eq i64 %70, %10
  br i1 %72, label %52, label %46

73:
  %74 = phi i64 [ 0, %46 ], [ %83, %73 ]
  %75 = phi double [ %49, %46 ], [ %82, %73 ]
  %76 = mul i64 %74, %15
  %77 = getelementptr double, ptr %51, i64 %76
  %78 = load double, ptr %77, align 8
  %79 = tail call double @llvm.fabs.f64(double %78)
  %80 = fcmp ogt double %79, %75
  %81 = select i1 %80, double %79, double %75
  %82 = freeze double %81
  %83 = add nuw nsw i64 %74, 1
  %84 = icmp eq i64 %83, %47
  br i1 %84, label %69, label %73

85:
  %86 = phi i64 [ %96, %94 ], [ 1, %60 ]
  %87 = phi i64 [ %95, %94 ], [ 0, %60 ]
  %88 = getelementptr <4 x double>, ptr %68, i64 %87
  %89 = mul i64 %87, %14
  %90 = getelementptr double, ptr %33, i64 %89
  br label %98

91:
  %92 = add nuw nsw i64 %29, 1
  %93 = icmp eq i64 %92, 4
  br i1 %93, label %20, label %26

94:
  %95 = add nuw nsw i64 %87, 1
  %96 = add nuw i64 %86, 1
  %97 = icmp eq i64 %95, %10
  br i1 %97, label %91, label %85

98:
  %99 = phi i64 [ 0, %85 ], [ %109, %105 ]
  br i1 %35, label %100, label %105

100:
  %101 = mul i64 %99, %15
  %102 = getelementptr double, ptr %90, i64 %101
  %103 = load double, ptr %102, align 8
  %104 = fmul double %103, %63
  br label %105

105:
  %106 = phi double [ %104, %100 ], [ 0.000000e+00, %98 ]
  %107 = mul i64 %99, %10
  %108 = getelementptr <4 x double>, ptr %88, i64 %107
  store double %106, ptr %108, align 8
  %109 = add nuw nsw i64 %99, 1
  %110 = icmp eq i64 %109, %86
  br i1 %110, label %94, label %98

111:
  %112 = phi i64 [ 0, %24 ], [ %119, %111 ]
  %113 = srem i64 %112, %25
  %114 = icmp eq i64 %113, 0
  %115 = uitofp i1 %114 to double
  %116 = insertelement <4 x double> poison, double %115, i64 0
  %117 = shufflevector <4 x double> %116, <4 x double> poison, <4 x i32> zeroinitializer
  %118 = getelementptr inbounds nuw <4 x double>, ptr %8, i64 %112
  store <4 x double> %117, ptr %118, align 32
  %119 = add nuw nsw i64 %112, 1
  %120 = icmp eq i64 %119, %17
  br i1 %120, label %121, label %111

121:
  %122 = phi ptr [ %23, %20 ], [ %8, %111 ]
  br label %123

123:
  %124 = phi i64 [ 0, %121 ], [ %283, %282 ]
  %125 = phi <4 x i64> [ zeroinitializer, %121 ], [ %133, %282 ]
  br i1 %19, label %134, label %132

126:
  %127 = phi <4 x double> [ %136, %134 ], [ %149, %142 ]
  %128 = icmp eq i64 %137, %10
  br i1 %128, label %129, label %134

129:
  %130 = fcmp ole <4 x double> %127, splat (double 0x3C70000000000000)
  %131 = select <4 x i1> %130, <4 x i64> splat (i64 -1), <4 x i64> %125
  br label %132

132:
  %133 = phi <4 x i64> [ splat (i64 -1), %123 ], [ %131, %129 ]
  br label %154

134:
  %135 = phi i64 [ %137, %126 ], [ 0, %123 ]
  %136 = phi <4 x double> [ %127, %126 ], [ zeroinitializer, %123 ]
  %137 = add nuw nsw i64 %135, 1
  %138 = icmp slt i64 %137, %10
  br i1 %138, label %139, label %126

139:
  %140 = mul i64 %135, %10
  %141 = getelementptr <4 x double>, ptr %7, i64 %140
  br label %142

142:
  %143 = phi i64 [ %137, %139 ], [ %150, %142 ]
  %144 = phi <4 x double> [ %136, %139 ], [ %149, %142 ]
  %145 = getelementptr <4 x double>, ptr %141, i64 %143
  %146 = load <4 x i64>, ptr %145, align 32
  %147 = and <4 x i64> %146, splat (i64 9223372036854775807)
  %148 = bitcast <4 x i64> %147 to <4 x double>
  %149 = tail call <4 x double> @llvm.maxnum.v4f64(<4 x double> %144, <4 x double> %148)
  %150 = add nuw nsw i64 %143, 1
  %151 = icmp eq i64 %150, %10
  br i1 %151, label %126, label %142

152:
  br i1 %159, label %285, label %153

153:
  br i1 %19, label %164, label %282

154:
  %155 = phi i64 [ 0, %132 ], [ %160, %154 ]
  %156 = phi i1 [ true, %132 ], [ %159, %154 ]
  %157 = extractelement <4 x i64> %133, i64 %155
  %158 = icmp ne i64 %157, 0
  %159 = and i1 %156, %158
  %160 = add nuw nsw i64 %155, 1
  %161 = icmp eq i64 %160, 4
  br i1 %161, label %152, label %154

162:
  %163 = icmp eq i64 %166, %10
  br i1 %163, label %282, label %164

164:
  %165 = phi i64 [ %166, %162 ], [ 0, %153 ]
  %166 = add nuw nsw i64 %165, 1
  %167 = icmp slt i64 %166, %10
  br i1 %167, label %168, label %162

168:
  %169 = mul i64 %165, %10
  %170 = getelementptr <4 x double>, ptr %7, i64 %169
  %171 = getelementptr <4 x double>, ptr %170, i64 %165
  %172 = icmp eq i64 %165, 0
  %173 = getelementptr <4 x double>, ptr %122, i64 %169
  br label %174

174:
  %175 = phi i64 [ %166, %168 ], [ %235, %280 ]
  %176 = getelementptr <4 x double>, ptr %170, i64 %175
  %177 = load <4 x double>, ptr %176, align 32
  %178 = bitcast <4 x double> %177 to <4 x i64>
  %179 = tail call <4 x double> @llvm.fabs.v4f64(<4 x double> %177)
  %180 = fcmp ole <4 x double> %179, splat (double 0x3870000000000000)
  %181 = select <4 x i1> %180, <4 x i64> splat (i64 -1), <4 x i64> %133
  %182 = mul i64 %175, %10
  %183 = getelementptr <4 x double>, ptr %7, i64 %182
  %184 = getelementptr <4 x double>, ptr %183, i64 %175
  %185 = load <4 x double>, ptr %184, align 32
  %186 = load <4 x double>, ptr %171, align 32
  %187 = fsub <4 x double> %185, %186
  %188 = fmul <4 x double> %177, splat (double 2.000000e+00)
  %189 = bitcast <4 x double> %188 to <4 x i64>
  %190 = and <4 x i64> %181, splat (i64 4607182418800017408)
  %191 = xor <4 x i64> %181, splat (i64 -1)
  %192 = and <4 x i64> %191, %189
  %193 = or <4 x i64> %192, %190
  %194 = bitcast <4 x i64> %193 to <4 x double>
  %195 = fdiv <4 x double> %187, %194
  %196 = bitcast <4 x double> %195 to <4 x i64>
  %197 = and <4 x i64> %196, splat (i64 -9223372036854775808)
  %198 = tail call <4 x double> @llvm.fabs.v4f64(<4 x double> %195)
  %199 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %195, <4 x double> %195, <4 x double> splat (double 1.000000e+00))
  %200 = tail call <4 x double> @llvm.sqrt.v4f64(<4 x double> %199)
  %201 = fadd <4 x double> %198, %200
  %202 = fdiv <4 x double> splat (double 1.000000e+00), %201
  %203 = bitcast <4 x double> %202 to <4 x i64>
  %204 = or <4 x i64> %197, %203
  %205 = and <4 x i64> %204, %191
  %206 = bitcast <4 x i64> %205 to <4 x double>
  %207 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %206, <4 x double> %206, <4 x double> splat (double 1.000000e+00))
  %208 = tail call <4 x double> @llvm.sqrt.v4f64(<4 x double> %207)
  %209 = fdiv <4 x double> splat (double 1.000000e+00), %208
  %210 = fmul <4 x double> %209, %206
  %211 = fneg <4 x double> %206
  %212 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %211, <4 x double> %177, <4 x double> %186)
  store <4 x double> %212, ptr %171, align 32
  %213 = load <4 x double>, ptr %184, align 32
  %214 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %206, <4 x double> %177, <4 x double> %213)
  store <4 x double> %214, ptr %184, align 32
  %215 = and <4 x i64> %133, %178
  store <4 x i64> %215, ptr %176, align 32
  br i1 %172, label %216, label %219

216:
  %217 = getelementptr <4 x double>, ptr %7, i64 %175
  %218 = icmp samesign ult i64 %166, %175
  br i1 %218, label %237, label %234

219:
  %220 = phi i64 [ %232, %219 ], [ 0, %174 ]
  %221 = mul i64 %220, %10
  %222 = getelementptr <4 x double>, ptr %7, i64 %221
  %223 = getelementptr <4 x double>, ptr %222, i64 %165
  %224 = load <4 x double>, ptr %223, align 32
  %225 = getelementptr <4 x double>, ptr %222, i64 %175
  %226 = load <4 x double>, ptr %225, align 32
  %227 = fneg <4 x double> %226
  %228 = fmul <4 x double> %210, %227
  %229 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %209, <4 x double> %224, <4 x double> %228)
  store <4 x double> %229, ptr %223, align 32
  %230 = fmul <4 x double> %209, %226
  %231 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %210, <4 x double> %224, <4 x double> %230)
  store <4 x double> %231, ptr %225, align 32
  %232 = add nuw nsw i64 %220, 1
  %233 = icmp eq i64 %232, %165
  br i1 %233, label %216, label %219

234:
  %235 = add nuw nsw i64 %175, 1
  %236 = icmp slt i64 %235, %10
  br i1 %236, label %254, label %251

237:
  %238 = phi i64 [ %249, %237 ], [ %166, %216 ]
  %239 = getelementptr <4 x double>, ptr %170, i64 %238
  %240 = load <4 x double>, ptr %239, align 32
  %241 = mul i64 %238, %10
  %242 = getelementptr <4 x double>, ptr %217, i64 %241
  %243 = load <4 x double>, ptr %242, align 32
  %244 = fneg <4 x double> %243
  %245 = fmul <4 x double> %210, %244
  %246 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %209, <4 x double> %240, <4 x double> %245)
  store <4 x double> %246, ptr %239, align 32
  %247 = fmul <4 x double> %209, %243
  %248 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %210, <4 x double> %240, <4 x double> %247)
  store <4 x double> %248, ptr %242, align 32
  %249 = add nuw nsw i64 %238, 1
  %250 = icmp eq i64 %249, %175
  br i1 %250, label %234, label %237

251:
  br i1 %21, label %280, label %252

252:
  %253 = getelementptr <4 x double>, ptr %122, i64 %182
  br label %267

254:
  %255 = phi i64 [ %265, %254 ], [ %235, %234 ]
  %256 = getelementptr <4 x double>, ptr %170, i64 %255
  %257 = load <4 x double>, ptr %256, align 32
  %258 = getelementptr <4 x double>, ptr %183, i64 %255
  %259 = load <4 x double>, ptr %258, align 32
  %260 = fneg <4 x double> %259
  %261 = fmul <4 x double> %210, %260
  %262 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %209, <4 x double> %257, <4 x double> %261)
  store <4 x double> %262, ptr %256, align 32
  %263 = fmul <4 x double> %209, %259
  %264 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %210, <4 x double> %257, <4 x double> %263)
  store <4 x double> %264, ptr %258, align 32
  %265 = add nuw nsw i64 %255, 1
  %266 = icmp eq i64 %265, %10
  br i1 %266, label %251, label %254

267:
  %268 = phi i64 [ 0, %252 ], [ %278, %267 ]
  %269 = getelementptr <4 x double>, ptr %173, i64 %268
  %270 = load <4 x double>, ptr %269, align 32
  %271 = getelementptr <4 x double>, ptr %253, i64 %268
  %272 = load <4 x double>, ptr %271, align 32
  %273 = fneg <4 x double> %272
  %274 = fmul <4 x double> %210, %273
  %275 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %209, <4 x double> %270, <4 x double> %274)
  store <4 x double> %275, ptr %269, align 32
  %276 = fmul <4 x double> %209, %272
  %277 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %210, <4 x double> %270, <4 x double> %276)
  store <4 x double> %277, ptr %271, align 32
  %278 = add nuw nsw i64 %268, 1
  %279 = icmp eq i64 %278, %10
  br i1 %279, label %280, label %267

280:
  %281 = icmp eq i64 %235, %10
  br i1 %281, label %162, label %174

282:
  %283 = add nuw nsw i64 %124, 1
  %284 = icmp eq i64 %283, 30
  br i1 %284, label %285, label %123

285:
  %286 = icmp sgt i64 %5, 0
  br i1 %286, label %287, label %291

287:
  %288 = add i64 %10, 1
  %289 = icmp slt i64 %10, 1
  %290 = or i1 %21, %289
  br label %292

291:
  ret void

292:
  %293 = phi i64 [ 0, %287 ], [ %365, %364 ]
  br i1 %19, label %300, label %364

294:
  %295 = extractelement <4 x double> %67, i64 %293
  %296 = extractelement <4 x double> %65, i64 %293
  %297 = add i64 %293, %4
  %298 = mul i64 %297, %10
  %299 = getelementptr double, ptr %1, i64 %298
  br label %331

300:
  %301 = phi i64 [ %324, %321 ], [ 0, %292 ]
  %302 = icmp eq i64 %301, 0
  br i1 %302, label %321, label %303

303:
  %304 = mul i64 %301, %288
  %305 = getelementptr inbounds <4 x double>, ptr %7, i64 %304
  %306 = load <4 x double>, ptr %305, align 32
  %307 = extractelement <4 x double> %306, i64 %293
  br label %308

308:
  %309 = phi i64 [ %301, %303 ], [ %319, %318 ]
  %310 = getelementptr i64, ptr %9, i64 %309
  %311 = getelementptr i8, ptr %310, i64 -8
  %312 = load i64, ptr %311, align 8
  %313 = mul i64 %312, %288
  %314 = getelementptr inbounds <4 x double>, ptr %7, i64 %313
  %315 = load <4 x double>, ptr %314, align 32
  %316 = extractelement <4 x double> %315, i64 %293
  %317 = fcmp ogt double %316, %307
  br i1 %317, label %318, label %321

318:
  store i64 %312, ptr %310, align 8
  %319 = add nsw i64 %309, -1
  %320 = icmp sgt i64 %309, 1
  br i1 %320, label %308, label %321

321:
  %322 = phi i64 [ 0, %300 ], [ 0, %318 ], [ %309, %308 ]
  %323 = getelementptr inbounds i64, ptr %9, i64 %322
  store i64 %301, ptr %323, align 8
  %324 = add nuw nsw i64 %301, 1
  %325 = icmp eq i64 %324, %10
  br i1 %325, label %294, label %300

326:
  br i1 %290, label %364, label %327

327:
  %328 = extractelement <4 x double> %65, i64 %293
  %329 = add i64 %293, %4
  %330 = mul i64 %329, %10
  br label %343

331:
  %332 = phi i64 [ 0, %294 ], [ %341, %331 ]
  %333 = getelementptr inbounds nuw i64, ptr %9, i64 %332
  %334 = load i64, ptr %333, align 8
  %335 = mul i64 %334, %288
  %336 = getelementptr inbounds <4 x double>, ptr %7, i64 %335
  %337 = load <4 x double>, ptr %336, align 32
  %338 = extractelement <4 x double> %337, i64 %293
  %339 = tail call double @llvm.fmuladd.f64(double %338, double %295, double %296)
  %340 = getelementptr double, ptr %299, i64 %332
  store double %339, ptr %340, align 8
  %341 = add nuw nsw i64 %332, 1
  %342 = icmp eq i64 %341, %10
  br i1 %342, label %326, label %331

343:
  %344 = phi i64 [ 0, %327 ], [ %350, %349 ]
  %345 = getelementptr <4 x double>, ptr %8, i64 %344
  %346 = add i64 %344, %330
  %347 = mul i64 %346, %10
  %348 = getelementptr double, ptr %2, i64 %347
  br label %352

349:
  %350 = add nuw nsw i64 %344, 1
  %351 = icmp eq i64 %350, %10
  br i1 %351, label %364, label %343

352:
  %353 = phi i64 [ 0, %343 ], [ %362, %352 ]
  %354 = getelementptr inbounds nuw i64, ptr %9, i64 %353
  %355 = load i64, ptr %354, align 8
  %356 = mul i64 %355, %10
  %357 = getelementptr <4 x double>, ptr %345, i64 %356
  %358 = load <4 x double>, ptr %357, align 32
  %359 = extractelement <4 x double> %358, i64 %293
  %360 = fadd double %328, %359
  %361 = getelementptr double, ptr %348, i64 %353
  store double %360, ptr %361, align 8
  %362 = add nuw nsw i64 %353, 1
  %363 = icmp eq i64 %362, %10
  br i1 %363, label %349, label %352

364:
  %365 = add nuw nsw i64 %293, 1
  %366 = icmp eq i64 %365, %5
  br i1 %366, label %291, label %292
}

define void @eigvalsh_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %9

6:
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %10

9:
  ret void

10:
  %11 = phi i64 [ %1, %6 ], [ %17, %10 ]
  %12 = load ptr, ptr %7, align 8
  %13 = load ptr, ptr %8, align 8
  %14 = load ptr, ptr %0, align 8
  %15 = sub i64 %2, %11
  %16 = tail call i64 @llvm.smin.i64(i64 %15, i64 4)
  tail call fastcc void @symmetric_f64(ptr %12, ptr %13, ptr null, ptr %14, i64 %11, i64 %16)
  %17 = add i64 %11, 4
  %18 = icmp slt i64 %17, %2
  br i1 %18, label %10, label %9
}

declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)

declare float @llvm.fmuladd.f32(float, float, float)

declare <4 x double> @llvm.maxnum.v4f64(<4 x double>, <4 x double>)

declare double @llvm.fmuladd.f64(double, double, double)

declare i64 @llvm.smin.i64(i64, i64)

declare i32 @llvm.umin.i32(i32, i32)

declare <8 x float> @llvm.fabs.v8f32(<8 x float>)

declare i64 @llvm.umin.i64(i64, i64)

declare <4 x double> @llvm.fabs.v4f64(<4 x double>)

declare i1 @llvm.is.fpclass.f32(float, i32)

declare i64 @llvm.smax.i64(i64, i64)

declare i1 @llvm.is.fpclass.f64(double, i32)
